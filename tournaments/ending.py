"""Early end of a stage or league by an organiser: open matches are voided, and the next step follows at once."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from ftk_core.league.acts import LeagueEnded, StageCut
from ftk_core.league.commands import closing, record
from ftk_core.league.endings import close, end_stage
from ftk_core.league.organising import Hand, void
from ftk_core.league.state import LeagueState
from replays.playing.ending import end_match
from tournaments.projections import load, waiting_results
from tournaments.rounds import append, append_results, locked
from tournaments.services import take_next_step

REASON = "the organisers ended its stage"
"""Reason in the log of a match that was voided before it was played."""


def end(league_id: int, hand: Hand) -> None:
    """End the current stage, and begin the next one or close the league; raises NotNow without one."""
    _end(league_id, hand, end_stage)


def end_league(league_id: int, hand: Hand) -> None:
    """Close a league in any state; raises NotNow if it is closed already."""
    _end(league_id, hand, close)


@transaction.atomic
def _end(league_id: int, hand: Hand, deed: Callable[[LeagueState, Hand], StageCut | LeagueEnded]) -> None:
    league = locked(league_id)
    stream, state = load(league)
    if facts := record(state, *waiting_results(league, state)) if state.rounds else ():
        state = append_results(league, stream, state, facts)
    state = append(league, stream, state, [deed(state, hand)])
    matches = {
        (row.round, row.number, row.game): row.match_id for row in league.tables.filter(round__gt=state.closed_rounds)
    }
    for key in state.open_matches:
        end_match(matches[key], REASON)
        state = append(league, stream, state, [void(state, key, matches[key], hand)])
        if ended := closing(state):
            state = append_results(league, stream, state, ended)
    take_next_step(league_id, lambda after: after.due)
