"""Where a match that ended is recorded, and when: those of a busy league a few at a time."""

from __future__ import annotations

import time

from foundation import tracing
from replays import traces
from replays.queries import CLOSED, VOID, Kind, read_kind
from tournaments import challenging, continuous, services
from tournaments.models import TableMatch

PAUSE_SECONDS = 0.5
"""How long a league whose matches were recorded may wait for the next ones to be, while more of it is still to end."""
_recorded: dict[int, float] = {}
"""When this process recorded matches of a league last, as its own clock has it."""


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
    unrecorded = TableMatch.objects.filter(recorded=False)
    league = unrecorded.filter(match_id=match_id).values_list("league_id", flat=True).first()
    if league is None:
        return False
    now = time.monotonic()
    if now - _recorded.get(league, -PAUSE_SECONDS) < PAUSE_SECONDS:
        more = unrecorded.filter(league_id=league).exclude(match__status__in=(CLOSED, VOID))
        if more.exists():
            return False
    _recorded[league] = now
    return services.record_match(match_id)
