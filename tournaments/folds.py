"""The folds of leagues, kept in each process beside their streams: checked by the head, and thrown away at will."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from itertools import takewhile
from threading import Lock

from ftk_core.league.state import NOTHING, LeagueState, fold, read
from ftk_core.log import GENESIS, BrokenChain, check_chain
from replays.store import StreamLog

MOST_FACTS = 50_000
"""Kept by a process, of all leagues together: some 50 MB."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a stream folds to, as far as it had come."""

    length: int
    head: bytes
    state: LeagueState


BEGINNING = Kept(0, GENESIS, NOTHING)
_kept: OrderedDict[str, Kept] = OrderedDict()
"""By stream, the one that was asked for last at the end."""
_lock = Lock()


def folded(stream: StreamLog) -> LeagueState:
    """Return what a stream folds to at its head; raises BrokenChain for one that is not what its hashes say.

    Of what is kept no more is trusted than the hash over all of it: what has been appended since must lead from there
    to the stream's head. Where it does not, as after a transaction that came to nothing, all is read anew.
    """
    with _lock:
        known = _kept.get(stream.stream_id, BEGINNING)
    try:
        found = _grown(known, stream)
    except BrokenChain:
        found = _grown(BEGINNING, stream)
    with _lock:
        _kept[stream.stream_id] = found
        _kept.move_to_end(stream.stream_id)
        while len(_kept) > 1 and sum(each.length for each in _kept.values()) > MOST_FACTS:
            _kept.popitem(last=False)
    return found.state


def _grown(known: Kept, stream: StreamLog) -> Kept:
    """Return what is known brought to the stream's head; raises BrokenChain if it does not lead there."""
    if known.head == stream.head:
        return known
    pages = takewhile(lambda page: page.last < stream.length, stream.pages(known.length - 1))
    length, head, facts = known.length, known.head, []
    for page in check_chain(pages, length, head):
        length, head = page.last + 1, page.head
        facts += [read(line) for line in page.lines]
    if head != stream.head:
        raise BrokenChain(f"{stream.stream_id}: its pages lead to {head.hex()}, its head is {stream.head.hex()}")
    return Kept(length, head, fold(facts, known.state))
