"""The reels of this process: each folded once and brought up to date from the database when somebody asks."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from weakref import WeakValueDictionary

from ftk_core.entries import stream_of
from ftk_core.facts import Viewer
from ftk_core.reel import Reel
from replays import meters
from replays.store import pages_of

REELS = 64
"""How many are kept that nobody watches; the one not asked for the longest goes first."""


Key = tuple[str, Viewer, str]


class Projector:
    """Keeps reels, by match, eyes and language; there is never a second one of what somebody holds."""

    def __init__(self) -> None:
        self._alive: WeakValueDictionary[Key, Reel] = WeakValueDictionary()
        self._kept: OrderedDict[Key, Reel] = OrderedDict()
        self._lock = Lock()

    def reel(self, match_id: str, viewer: Viewer, language: str = "en") -> Reel:
        """Return the reel with everything that is durable by now; one thread folds, the others wait for it."""
        reel = self._find((match_id, viewer, language))
        with reel.folding:
            if not reel.ended:
                self._catch_up(reel, match_id)
        return reel

    @staticmethod
    def _catch_up(reel: Reel, match_id: str) -> None:
        for page in pages_of(stream_of(match_id), reel.entries - 1):
            reel.extend(page.lines[max(0, reel.entries - page.first) :])
            reel.head = page.head

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


PROJECTOR = Projector()
