"""The reels of this process: each folded once and brought up to date from the database when somebody asks."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from ftk_core.facts import Viewer
from replays.gallery import Reel
from replays.store import pages_of

REELS = 64
"""As many are kept; the one not asked for the longest goes first."""


class Projector:
    """Keeps reels, by match, eyes and language."""

    def __init__(self) -> None:
        self._reels: OrderedDict[tuple[str, Viewer, str], tuple[Reel, Lock]] = OrderedDict()
        self._lock = Lock()

    def reel(self, match_id: str, viewer: Viewer, language: str = "en") -> Reel:
        """Return the reel with everything that is durable by now; one thread folds, the others wait for it."""
        reel, lock = self._slot((match_id, viewer, language))
        with lock:
            if not reel.ended:
                self._catch_up(reel, match_id)
        return reel

    @staticmethod
    def _catch_up(reel: Reel, match_id: str) -> None:
        for page in pages_of(f"match/{match_id}", reel.length - 1):
            reel.extend(page.lines[max(0, reel.length - page.first) :])
            reel.head = page.head

    def _slot(self, key: tuple[str, Viewer, str]) -> tuple[Reel, Lock]:
        with self._lock:
            if key not in self._reels:
                self._reels[key] = (Reel(key[1], key[2]), Lock())
                while len(self._reels) > REELS:
                    self._reels.popitem(last=False)
            self._reels.move_to_end(key)
            return self._reels[key]


PROJECTOR = Projector()
