"""Cache of folded streams, per process: validated by the stream's head, and disposable."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from threading import Lock
from typing import Generic, TypeVar

from django.db import transaction

from ftk_core.league.folding import fold, read
from ftk_core.league.state import NOTHING, LeagueState
from ftk_core.log import GENESIS, BrokenChain, check_chain
from replays.store import StreamLog

MOST_FACTS = 50_000
"""Maximum number of cached facts of all leagues: some 50 MB."""
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Kept(Generic[S]):
    """The state of a stream at some length."""

    length: int
    head: bytes
    state: S


class Folds(Generic[S]):
    """LRU cache of states, bounded by the number of facts."""

    def __init__(self, nothing: S, grow: Callable[[Sequence[bytes], S], S], most: int) -> None:
        """Take `grow`, which folds further lines into a state."""
        self._beginning = Kept(0, GENESIS, nothing)
        self._grow, self.most = grow, most
        self.kept: OrderedDict[str, Kept[S]] = OrderedDict()
        self._lock = Lock()

    def folded(self, stream: StreamLog) -> S:
        """Return the state at a stream's head; raises BrokenChain if its hashes are wrong.

        Of a cached state only the hash over its lines is trusted: the lines appended since must lead from it to the
        head. If they do not, as after a rolled-back transaction, everything is read again.
        """
        with self._lock:
            known = self.kept.get(stream.stream_id, self._beginning)
        try:
            found = self._grown(known, stream)
        except BrokenChain:
            found = self._grown(self._beginning, stream)
        self._keep(stream.stream_id, found)
        return found.state

    def keep(self, stream: StreamLog, state: S) -> None:
        """Cache the state at a stream's head, as known to its writer, after the commit."""
        found = Kept(stream.length, stream.head, state)
        transaction.on_commit(lambda: self._keep(stream.stream_id, found))

    def _keep(self, stream_id: str, found: Kept[S]) -> None:
        with self._lock:
            self.kept[stream_id] = found
            self.kept.move_to_end(stream_id)
            while len(self.kept) > 1 and sum(each.length for each in self.kept.values()) > self.most:
                self.kept.popitem(last=False)

    def _grown(self, known: Kept[S], stream: StreamLog) -> Kept[S]:
        """Return a cached state extended to the stream's head; raises BrokenChain if it does not lead there."""
        if known.head == stream.head:
            return known
        pages = takewhile(lambda page: page.last < stream.length, stream.pages(known.length - 1))
        length, head, lines = known.length, known.head, []
        for page in check_chain(pages, length, head):
            length, head = page.last + 1, page.head
            lines += page.lines
        if head != stream.head:
            raise BrokenChain(f"{stream.stream_id}: its pages lead to {head.hex()}, its head is {stream.head.hex()}")
        return Kept(length, head, self._grow(lines, known.state))


def _grow(lines: Sequence[bytes], state: LeagueState) -> LeagueState:
    return fold([read(line) for line in lines], state)


LEAGUES = Folds(NOTHING, _grow, MOST_FACTS)


def folded(stream: StreamLog) -> LeagueState:
    """Return the state of a league at its stream's head; raises BrokenChain if its hashes are wrong."""
    return LEAGUES.folded(stream)
