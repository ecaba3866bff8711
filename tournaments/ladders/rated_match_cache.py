"""Per-process cache of all rated matches, as arrays for fitting ratings."""
# When a ladder's stream has grown, only its new lines are read.

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from replays.event_stream_storage import EventAppender
from replays.queries import read_seats
from tournaments.event_stream_state_cache import EventStreamStateCache
from tournaments.ladders.ladder_event_types import (
    LadderFact,
    LeagueMatchRated,
    NonLeagueMatchRated,
    ResultCorrected,
    read,
)

MAX_CACHED_MATCHES = 4_000_000
"""Maximum number of stream lines in the cache (about one per match), for all ladders together: about 200 MB."""


@dataclass(frozen=True, slots=True)
class LadderMatchArrays:
    """All matches of a ladder with the same number of seats, in stream order."""

    ids: NDArray[np.bytes_]
    versions: NDArray[np.int64]
    """Ids of the bot versions, with the shape (matches, seats)."""
    places: NDArray[np.int64]
    """Places from 1, with the shape (matches, seats); 0 in all seats if the result was withdrawn."""


ArraysBySize = Mapping[int, LadderMatchArrays]
"""Mapping from a number of seats to all matches of a ladder with this number of seats."""


def read_matches(stream: EventAppender) -> ArraysBySize:
    """Return all matches of a ladder as arrays, by number of seats.

    Raises LookupError if the bot versions of a match are not stored.
    """
    return LADDER_CACHE.fold_stream(stream)


def _fold_lines(lines: Sequence[bytes], known: ArraysBySize) -> ArraysBySize:
    facts = [read(line) for line in lines]
    facts_by_size: dict[int, list[LeagueMatchRated | NonLeagueMatchRated]] = defaultdict(list)
    for fact in facts:
        if not isinstance(fact, ResultCorrected):
            facts_by_size[len(fact.places)].append(fact)
    tables = dict(known)
    for size, facts_of_size in facts_by_size.items():
        tables[size] = _join(tables.get(size), _read_table(facts_of_size, size))
    return _apply_corrections(tables, facts)


def _read_table(facts: Sequence[LeagueMatchRated | NonLeagueMatchRated], size: int) -> LadderMatchArrays:
    """Convert events of rated matches with `size` seats into arrays."""
    # The bot versions come from the database. Raises LookupError if it does not contain those of a match.
    seats = read_seats([fact.match for fact in facts])
    if unknown := [fact.match for fact in facts if len(seats.get(fact.match, ())) != size]:
        raise LookupError(f"a ladder rates {unknown[0]}, of which is not stored who sat there")
    return LadderMatchArrays(
        np.array([fact.match.encode() for fact in facts]),
        np.array([seats[fact.match] for fact in facts], dtype=np.int64),
        np.array([fact.places for fact in facts], dtype=np.int64),
    )


def _join(known: LadderMatchArrays | None, new: LadderMatchArrays) -> LadderMatchArrays:
    if known is None:
        return new
    return LadderMatchArrays(
        np.concatenate([known.ids, new.ids]),
        np.concatenate([known.versions, new.versions]),
        np.concatenate([known.places, new.places]),
    )


def _apply_corrections(tables: ArraysBySize, facts: Sequence[LadderFact]) -> ArraysBySize:
    """Return a copy of the matches in which the corrections among `facts` replace the results."""
    places = {fact.match.encode(): fact.places for fact in facts if isinstance(fact, ResultCorrected)}
    corrected = {}
    for size, table in tables.items():
        rows = np.flatnonzero(np.isin(table.ids, list(places))).tolist() if places else []
        corrected[size] = replace(table, places=table.places.copy()) if rows else table
        for row in rows:
            corrected[size].places[row] = places[bytes(table.ids[row])] or 0
    return corrected


LADDER_CACHE: EventStreamStateCache[ArraysBySize] = EventStreamStateCache({}, _fold_lines, MAX_CACHED_MATCHES)
