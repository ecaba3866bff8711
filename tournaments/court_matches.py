"""Cache of ladder matches for court fits, per process, extended from where it stopped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from replays.queries import read_seats
from replays.store import StreamLog
from tournaments.folds import Folds
from tournaments.ladder_facts import BoutCounted, LadderFact, MatchCounted, MatchRated, ResultCorrected, read

MOST = 4_000_000
"""Maximum number of cached matches of all ladders: some 200 MB."""


@dataclass(frozen=True, slots=True)
class Matches:
    """Matches at tables of one size, in the order of the stream."""

    ids: NDArray[np.bytes_]
    versions: NDArray[np.int64]
    """(matches, seats): keys of the versions."""
    places: NDArray[np.int64]
    """(matches, seats): from 1; 0 in all seats if the result was withdrawn."""


BySize = Mapping[int, Matches]
"""By table size."""


def read_matches(stream: StreamLog) -> BySize:
    """Return all matches of a ladder; raises LookupError if the seats of one are not stored."""
    return LADDERS.folded(stream)


def _grow(lines: Sequence[bytes], known: BySize) -> BySize:
    facts = [read(line) for line in lines]
    came: dict[int, list[MatchRated | MatchCounted | BoutCounted]] = defaultdict(list)
    for fact in facts:
        if not isinstance(fact, ResultCorrected):
            came[len(fact.places)].append(fact)
    found = dict(known)
    for size, some in came.items():
        found[size] = _joined(found.get(size), _read_table(some, size))
    return _corrected(found, facts)


def _read_table(facts: Sequence[MatchRated | MatchCounted | BoutCounted], size: int) -> Matches:
    """Return matches with their versions; only the seats of these are read."""
    seats = read_seats([fact.match for fact in facts])
    if unknown := [fact.match for fact in facts if len(seats.get(fact.match, ())) != size]:
        raise LookupError(f"a ladder rates {unknown[0]}, of which is not stored who sat there")
    return Matches(
        np.array([fact.match.encode() for fact in facts]),
        np.array([seats[fact.match] for fact in facts], dtype=np.int64),
        np.array([fact.places for fact in facts], dtype=np.int64),
    )


def _joined(known: Matches | None, more: Matches) -> Matches:
    if known is None:
        return more
    return Matches(
        np.concatenate([known.ids, more.ids]),
        np.concatenate([known.versions, more.versions]),
        np.concatenate([known.places, more.places]),
    )


def _corrected(tables: BySize, facts: Sequence[LadderFact]) -> BySize:
    """Return the matches with their latest corrections; the input stays unchanged."""
    places = {fact.match.encode(): fact.places for fact in facts if isinstance(fact, ResultCorrected)}
    found = {}
    for size, table in tables.items():
        rows = np.flatnonzero(np.isin(table.ids, list(places))).tolist() if places else []
        found[size] = replace(table, places=table.places.copy()) if rows else table
        for row in rows:
            found[size].places[row] = places[bytes(table.ids[row])] or 0
    return found


LADDERS: Folds[BySize] = Folds({}, _grow, MOST)
