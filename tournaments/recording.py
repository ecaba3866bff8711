"""Recording of ended matches, batched per league."""

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
"""Maximum delay in which a busy league collects ended matches for one recording.

Each process that plays or records does so at most once per this time and league.
"""
_rung: dict[int, float] = {}
"""Time of this process's last enqueued recording by league, by its own clock."""
_recorded: dict[int, float] = {}
"""Time of its last recording by league."""


def record(match_id: str) -> bool:
    """Record an ended match, or leave it to the next one of its league or the sweeper.

    Returns True if anything was recorded; matches already recorded or not over are ignored.
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
    """Enqueue the recording of a finished match, debounced per league."""
    table = _table_of(match_id)
    if table is not None and _may_wait(table, _rung):
        traces.forget(match_id)
    else:
        ring("tournaments.record", match_id)


@dataclass(frozen=True, slots=True)
class Table:
    """Place of an ended match that waits to be recorded."""

    league: int
    called: bool
    """True if its round has come."""
    more: bool
    """True if another match of the rounds that have come is still open."""


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
    """Return the place of an unrecorded match in its league; None without one."""
    with connection.cursor() as cursor:
        cursor.execute(WAITING, [match_id])
        row = cursor.fetchone()
    return Table(*row) if row else None


def _may_wait(table: Table, done: dict[int, float]) -> bool:
    """Return True if the league was served a moment ago and has open matches; otherwise note the time.

    A match of a round paired ahead waits for the end of the round before it.
    """
    if not table.called:
        return True
    now = time.monotonic()
    if table.more and now - done.get(table.league, -PAUSE_SECONDS) < PAUSE_SECONDS:
        return True
    done[table.league] = now
    return False
