"""Per-process cache of reels; at each request, a reel is extended by the new entries of the match's log.

A reel is the list of all frames of a match for one viewer. A frame is the state of the game after one log entry, as
the viewer may see it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock
from weakref import WeakValueDictionary

from ftk_core.facts import Viewer
from ftk_core.hash_chained_log import LogPage
from ftk_core.log_entries import stream_of
from ftk_core.match_replay_frames import MatchFrames
from replays import metrics
from replays.event_stream_storage import newer_pages, pages_of

MAX_REELS = 64
"""Maximum number of reels (lists of all frames of a match) in the cache; the least recently used goes first."""


Key = tuple[str, Viewer, str]


class MatchFrameCache:
    """Cache of reels (all frames of a match) by match, viewer and language.

    The cache also finds a reel that it has dropped, as long as other code still uses it, so that the reel is not
    computed again.
    """

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
        """Return all frames of a match up to now; one thread computes the new frames, other threads wait for it."""
        reel = self._find((match_id, viewer, language))
        with reel.extend_lock:
            if not reel.ended:
                _extend(reel, pages_of(stream_of(match_id), reel.entries - 1))
        return reel

    def reels(self, match_ids: Sequence[str], viewer: Viewer, language: str = "en") -> dict[str, MatchFrames]:
        """Return a dict from match id to all frames of the match up to now.

        One query reads the new log entries of all matches. It does not read the archive, so do not pass archived
        matches: their new entries would be missing.
        """
        reels = {match_id: self._find((match_id, viewer, language)) for match_id in match_ids}
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
    """Add the frames for the lines of log pages to a reel (list of frames); skip lines that it already contains."""
    for page in pages:
        if page.last >= reel.entries:
            reel.extend(page.lines[max(0, reel.entries - page.first) :])
            reel.head = page.head


REEL_CACHE = MatchFrameCache()
