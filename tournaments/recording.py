"""Where a match that ended is recorded, and when: those of a busy league a few at a time."""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.db import connection

from foundation import tracing
from foundation.doorbell import ring
from replays import traces
from replays.queries import Kind, read_kind
from tournaments import challenging, continuous, services

PAUSE_SECONDS = 1.0
"""How long a league whose matches were recorded may wait for the next ones to be, while more of it is still to end.

Whoever plays rings no more often than that, and whoever records does it no more often: that may be many who ring.
"""
_rung: dict[int, float] = {}
"""When this process rang for a league last, as its own clock has it;"""
_recorded: dict[int, float] = {}
"""and when it recorded matches of it."""


def record(match_id: str) -> bool:
    """Record a match that ended where it belongs, or leave it for a moment to the next of its league, or the sweeper.

    Returns whether anything was recorded; for what is known already, or not over, nothing is.
    """
    with tracing.span("match.record", traces.context_of(match_id), match=match_id) as here:
        recorded = _record(match_id)
        here.say(recorded=recorded)
    traces.forget(match_id)
    return recorded


def _record(match_id: str) -> bool:
    match read_kind(match_id):
        case Kind.LEAGUE:
            return _record_in_league(match_id)
        case Kind.LADDER:
            return continuous.record(match_id)
        case Kind.FRIENDLY:
            return challenging.record(match_id)
    return False


def _record_in_league(match_id: str) -> bool:
    table = _table_of(match_id)
    return table is not None and not _may_wait(table, _recorded) and services.record_match(match_id)


def heard(match_id: str) -> None:
    """Ring for the record of a match that has ended here, unless it may wait for the next of its league to end."""
    table = _table_of(match_id)
    if table is not None and _may_wait(table, _rung):
        traces.forget(match_id)
    else:
        ring("tournaments.record", match_id)


@dataclass(frozen=True, slots=True)
class Table:
    """Where a match that ended waits to be recorded."""

    league: int
    called: bool
    """Whether its round has come."""
    more: bool
    """Whether another match of the rounds that have come is still to end."""


WAITING = """
SELECT league.id, ours.round <= league.round, EXISTS (
    SELECT FROM tournaments_tablematch AS other JOIN replays_match AS match ON match.id = other.match_id
    WHERE other.league_id = league.id AND NOT other.recorded AND other.round <= league.round
    AND match.status NOT IN ('closed', 'void')
)
FROM tournaments_tablematch AS ours JOIN tournaments_league AS league ON league.id = ours.league_id
WHERE ours.match_id = %s AND NOT ours.recorded
"""


def _table_of(match_id: str) -> Table | None:
    """Return where a match waits to be recorded in a league; None where it does not."""
    with connection.cursor() as cursor:
        cursor.execute(WAITING, [match_id])
        row = cursor.fetchone()
    return Table(*row) if row else None


def _may_wait(table: Table, done: dict[int, float]) -> bool:
    """Tell whether this was done for the league a moment ago and more of its round is still to end; if not, it is now.

    A match of a round that was paired ahead waits for the end of the round before it.
    """
    if not table.called:
        return True
    now = time.monotonic()
    if table.more and now - done.get(table.league, -PAUSE_SECONDS) < PAUSE_SECONDS:
        return True
    done[table.league] = now
    return False
