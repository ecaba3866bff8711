"""Cache of reels in this process, each updated from the database on request."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock
from weakref import WeakValueDictionary

from ftk_core.entries import stream_of
from ftk_core.facts import Viewer
from ftk_core.log import Page
from ftk_core.reel import Reel
from replays import meters
from replays.store import newer_pages, pages_of

REELS = 64
"""Number of unused reels kept; the least recently used is dropped first."""


Key = tuple[str, Viewer, str]


class Projector:
    """Cache of reels by match, viewer and language; a reel in use is never duplicated."""

    def __init__(self) -> None:
        self._alive: WeakValueDictionary[Key, Reel] = WeakValueDictionary()
        self._kept: OrderedDict[Key, Reel] = OrderedDict()
        self._lock = Lock()

    def reel(self, match_id: str, viewer: Viewer, language: str = "en") -> Reel:
        """Return the reel with all durable entries; one thread folds, the others wait for it."""
        reel = self._find((match_id, viewer, language))
        with reel.folding:
            if not reel.ended:
                _extend(reel, pages_of(stream_of(match_id), reel.entries - 1))
        return reel

    def reels(self, match_ids: Sequence[str], viewer: Viewer, language: str = "en") -> dict[str, Reel]:
        """Return the reels of live matches by match; one statement updates them all."""
        reels = {match_id: self._find((match_id, viewer, language)) for match_id in match_ids}
        open_streams = {stream_of(match_id): reel for match_id, reel in reels.items() if not reel.ended}
        for stream, page in newer_pages({stream: reel.entries - 1 for stream, reel in open_streams.items()}):
            reel = open_streams[stream]
            with reel.folding:
                _extend(reel, [page])
        return reels

    def _find(self, key: Key) -> Reel:
        with self._lock:
            reel = self._alive.get(key)
            meters.REELS_ASKED.labels("yes" if reel else "no").inc()
            if reel is None:
                reel = self._alive[key] = Reel(key[1], key[2])
            self._kept[key] = reel
            self._kept.move_to_end(key)
            while len(self._kept) > REELS:
                self._kept.popitem(last=False)
            meters.REELS.set(len(self._kept))
            return reel


def _extend(reel: Reel, pages: Iterable[Page]) -> None:
    """Fold pages into a reel; skip lines that another thread has folded."""
    for page in pages:
        if page.last >= reel.entries:
            reel.extend(page.lines[max(0, reel.entries - page.first) :])
            reel.head = page.head


PROJECTOR = Projector()
