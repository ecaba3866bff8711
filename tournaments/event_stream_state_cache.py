"""Per-process cache of states that were computed from event streams."""
# A cached state can be wrong, for example after a rolled-back transaction. It is therefore used only if the hash chain
# leads from its last line to the stream's current last line.

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from threading import Lock
from typing import Generic, TypeVar

from django.db import transaction

from ftk_core.hash_chained_log import GENESIS, BrokenHashChainError, check_chain
from ftk_core.league.league_state import EMPTY_LEAGUE, LeagueState
from ftk_core.league.league_state_from_events import decode_fact, fold_facts
from replays.event_stream_storage import EventAppender

MAX_CACHED_FACTS = 50_000
"""Maximum total length, in facts (lines), of the streams of all cached league states; the states take about 50 MB."""
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class CachedStreamState(Generic[S]):
    """State computed from the first `length` lines of an event stream, with their hash."""

    length: int
    head: bytes
    state: S


class EventStreamStateCache(Generic[S]):
    """LRU cache of states computed from event streams. It limits the total length of the streams."""

    def __init__(self, empty_state: S, fold_lines: Callable[[Sequence[bytes], S], S], max_facts: int) -> None:
        """Create an empty cache for at most `max_facts` stream lines.

        `fold_lines(lines, state)` returns the state after further lines of the stream.
        """
        self._beginning = CachedStreamState(0, GENESIS, empty_state)
        self._fold_lines, self.max_facts = fold_lines, max_facts
        self.folds: OrderedDict[str, CachedStreamState[S]] = OrderedDict()
        self._lock = Lock()

    def fold_stream(self, stream: EventAppender) -> S:
        """Return the state after the last line of a stream; raises BrokenHashChainError for a wrong hash chain."""
        # Only lines after the cached state are read. If they do not continue its hash chain, for example after a
        # rolled-back transaction, the whole stream is read again.
        with self._lock:
            known = self.folds.get(stream.stream_id, self._beginning)
        try:
            fold = self._extend(known, stream)
        except BrokenHashChainError:
            fold = self._extend(self._beginning, stream)
        self._store(stream.stream_id, fold)
        return fold.state

    def store(self, stream: EventAppender, state: S) -> None:
        """Cache the state at the end of a stream when the current transaction commits."""
        fold = CachedStreamState(stream.length, stream.head, state)
        transaction.on_commit(lambda: self._store(stream.stream_id, fold))

    def _store(self, stream_id: str, fold: CachedStreamState[S]) -> None:
        with self._lock:
            self.folds[stream_id] = fold
            self.folds.move_to_end(stream_id)
            while len(self.folds) > 1 and sum(each.length for each in self.folds.values()) > self.max_facts:
                self.folds.popitem(last=False)

    def _extend(self, cached: CachedStreamState[S], stream: EventAppender) -> CachedStreamState[S]:
        """Apply the new lines of a stream to a cached state."""
        # Raises BrokenHashChainError if the hash chain of these lines does not end in the stream's current hash.
        if cached.head == stream.head:
            return cached
        pages = takewhile(lambda page: page.last < stream.length, stream.pages(cached.length - 1))
        length, head, lines = cached.length, cached.head, []
        for page in check_chain(pages, length, head):
            length, head = page.last + 1, page.head
            lines += page.lines
        if head != stream.head:
            raise BrokenHashChainError(
                f"{stream.stream_id}: its pages lead to {head.hex()}, its head is {stream.head.hex()}"
            )
        return CachedStreamState(length, head, self._fold_lines(lines, cached.state))


def _fold_lines(lines: Sequence[bytes], state: LeagueState) -> LeagueState:
    return fold_facts([decode_fact(line) for line in lines], state)


LEAGUE_CACHE = EventStreamStateCache(EMPTY_LEAGUE, _fold_lines, MAX_CACHED_FACTS)


def fold_stream(stream: EventAppender) -> LeagueState:
    """Return a league's current state, computed from its event stream; raise BrokenHashChainError for a wrong hash."""
    return LEAGUE_CACHE.fold_stream(stream)
