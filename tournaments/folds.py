"""What streams fold to, kept in each process beside them: checked by the head, and thrown away at will."""

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
"""Kept by a process, of all leagues together: some 50 MB."""
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Kept(Generic[S]):
    """What a stream folds to, as far as it had come."""

    length: int
    head: bytes
    state: S


class Folds(Generic[S]):
    """What some streams fold to; those that were asked for last are kept, as many as have that many facts."""

    def __init__(self, nothing: S, grow: Callable[[Sequence[bytes], S], S], most: int) -> None:
        """Fold by `grow`, which makes of lines, and of what those before them fold to, what all together fold to."""
        self._beginning = Kept(0, GENESIS, nothing)
        self._grow, self.most = grow, most
        self.kept: OrderedDict[str, Kept[S]] = OrderedDict()
        self._lock = Lock()

    def folded(self, stream: StreamLog) -> S:
        """Return what a stream folds to at its head; raises BrokenChain for one that is not what its hashes say.

        Of what is kept no more is trusted than the hash over all of it: what has been appended since must lead from
        there to the stream's head. Where it does not, as after a transaction that came to nothing, all is read anew.
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
        """Keep what a stream folds to at its head, as whoever appended knows, once the transaction is over."""
        found = Kept(stream.length, stream.head, state)
        transaction.on_commit(lambda: self._keep(stream.stream_id, found))

    def _keep(self, stream_id: str, found: Kept[S]) -> None:
        with self._lock:
            self.kept[stream_id] = found
            self.kept.move_to_end(stream_id)
            while len(self.kept) > 1 and sum(each.length for each in self.kept.values()) > self.most:
                self.kept.popitem(last=False)

    def _grown(self, known: Kept[S], stream: StreamLog) -> Kept[S]:
        """Return what is known brought to the stream's head; raises BrokenChain if it does not lead there."""
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
    """Return what a league's stream folds to at its head; raises BrokenChain if it is not what its hashes say."""
    return LEAGUES.folded(stream)
