"""Per-process cache of the frames of matches. A frame is the state that a viewer sees after a log entry."""
# At each request, the list of frames (reel) is extended by the new entries of the match's log.

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock
from weakref import WeakValueDictionary

from ftk_core.facts import Viewer
from ftk_core.hash_chained_log import LogPage
from ftk_core.i18n import ENGLISH
from ftk_core.log_entries import stream_of
from ftk_core.match_replay_frames import MatchFrames
from replays import metrics
from replays.event_stream_storage import newer_pages, pages_of

MAX_REELS = 64
"""Maximum number of reels (lists of all frames of a match) in the cache; the least recently used goes first."""


Key = tuple[str, Viewer, str]


class MatchFrameCache:
    """Cache of the frames of matches by match, viewer and language."""

    # Frames that the cache has dropped are found as long as other code uses them, so that they are not computed again.

    def __init__(self) -> None:
        self._alive: WeakValueDictionary[Key, MatchFrames] = WeakValueDictionary()
        self._kept: OrderedDict[Key, MatchFrames] = OrderedDict()
        self._lock = Lock()

    def clear(self) -> None:
        """Delete all cached reels (frames of matches), as if the process had just started."""
        with self._lock:
            self._alive.clear()
            self._kept.clear()

    def reel(self, match_id: str, viewer: Viewer, language: str = "en") -> MatchFrames:
        """Return all frames of a match up to now."""
        # One thread computes the new frames, other threads wait for it.
        reel = self._find((match_id, viewer, language))
        with reel.extend_lock:
            if not reel.ended:
                _extend(reel, pages_of(stream_of(match_id), reel.entries - 1))
        return reel

    def has_frames(self, match_id: str, viewer: Viewer, language: str) -> bool:
        """Return True if frames of the match are cached, so that the start of its log is not read again."""
        with self._lock:
            reel = self._alive.get((match_id, viewer, language))
            return reel is not None and reel.length > 0

    def reels(self, match_ids: Sequence[str], viewer: Viewer) -> dict[str, MatchFrames]:
        """Return all frames of each match up to now, by match id. Archived matches are not allowed."""
        # One query reads the new log entries of all matches. It does not read the archive.
        reels = {match_id: self._find((match_id, viewer, ENGLISH)) for match_id in match_ids}
        open_streams = {stream_of(match_id): reel for match_id, reel in reels.items() if not reel.ended}
        for stream, page in newer_pages({stream: reel.entries - 1 for stream, reel in open_streams.items()}):
            reel = open_streams[stream]
            with reel.extend_lock:
                _extend(reel, [page])
        return reels

    def _find(self, key: Key) -> MatchFrames:
        with self._lock:
            reel = self._alive.get(key)
            metrics.REELS_ASKED.labels("yes" if reel else "no").inc()
            if reel is None:
                reel = self._alive[key] = MatchFrames(key[1], key[2])
            self._kept[key] = reel
            self._kept.move_to_end(key)
            while len(self._kept) > MAX_REELS:
                self._kept.popitem(last=False)
            metrics.REELS.set(len(self._kept))
            return reel


def _extend(reel: MatchFrames, pages: Iterable[LogPage]) -> None:
    """Add the log lines of `pages` to `reel`, except those that are already in it."""
    for page in pages:
        if page.last >= reel.entries:
            reel.extend(page.lines[max(0, reel.entries - page.first) :])
            reel.head = page.head


REEL_CACHE = MatchFrameCache()
