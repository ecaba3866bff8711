"""Organisers' actions that end a league or stage early, or cancel a league before it begins."""
# Open matches then become void: they have no result.

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.league.intervention_facts import LeagueCancelled, LeagueEndedEarly, StageEndedEarly
from ftk_core.league.league_command_handlers import record, round_end_facts
from ftk_core.league.league_correction_command_handlers import cancel_league, close_league, end_stage
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_state import LeagueState
from ftk_core.league.match_result_command_handlers import void_match
from replays.event_stream_storage import EventAppender
from replays.playing.match_cancellation import end_match
from replays.queries import CLOSED
from tournaments.leagues.league_event_appending import append, append_results, lock_league
from tournaments.leagues.league_event_projection import load
from tournaments.leagues.services import list_waiting_results, take_next_step
from tournaments.models import League
from tournaments.organisers.organiser_action_definition import (
    OrganiserAction,
    OrganiserActionDescription,
    OrganiserActionGroup,
    OrganiserActionRequest,
)

REASON = "the organisers ended its stage"
"""Reason in the log of a match that becomes void because its stage ends."""


EarlyEnd = StageEndedEarly | LeagueEndedEarly | LeagueCancelled


@transaction.atomic
def _end(call: OrganiserActionRequest, decide: Callable[[LeagueState, LeagueActor], EarlyEnd]) -> None:
    """End a stage or a league early: record finished matches and stop open ones without a result."""
    # `decide` computes the event of the end; it raises CommandRejected if the end is impossible. The next step of the
    # league is then taken if it is due.
    league = lock_league(call.league.pk)
    stream, state = load(league)
    state = _record_finished(league, stream, state)
    decide(state, call.actor)  # an impossible end is refused before any match becomes void
    # The finished matches of a round that was paired early count: they are recorded once the round before it has ended.
    if league.tables.filter(round=state.playing + 1, recorded=False, match__status=CLOSED).exists():
        state = _void_open_matches(league, stream, state, call.actor, state.playing)
        state = _record_finished(league, stream, state)
    state = append(league, stream, state, [decide(state, call.actor)])
    _void_open_matches(league, stream, state, call.actor, len(state.rounds))
    take_next_step(league.pk, lambda after: after.due)


def _record_finished(league: League, stream: EventAppender, state: LeagueState) -> LeagueState:
    """Record the finished matches of the round that is being played, and of the next one if that ends the round."""
    while state.rounds and (facts := record(state, *list_waiting_results(league, state))):
        state = append_results(league, stream, state, facts)
    return state


def _void_open_matches(
    league: League, stream: EventAppender, state: LeagueState, actor: LeagueActor, last: int
) -> LeagueState:
    """Stop the open matches of the rounds up to round `last` without a result."""
    tables = league.tables.filter(round__gt=state.closed_rounds)
    match_ids = {(table.round, table.number, table.game): table.match_id for table in tables}
    for key in [key for key in state.open_matches if key[0] <= last]:
        end_match(match_ids[key], REASON)
        state = append(league, stream, state, [void_match(state, key, match_ids[key], actor)])
        if ended := round_end_facts(state):
            state = append_results(league, stream, state, ended)
    return state


def _stage_ended(_league: LeagueState, fact: StageEndedEarly) -> OrganiserActionDescription:
    return OrganiserActionDescription(what=_("Stage %(stage)s was ended by its organiser.") % {"stage": fact.stage})


def _league_ended(_league: LeagueState, _fact: LeagueEndedEarly) -> OrganiserActionDescription:
    return OrganiserActionDescription(what=_("The league was closed by its organiser."))


def _league_cancelled(_league: LeagueState, _fact: LeagueCancelled) -> OrganiserActionDescription:
    return OrganiserActionDescription(what=_("The league was cancelled by its organiser."))


END_STAGE = OrganiserAction(
    verb="end",
    label=gettext_lazy("End the stage"),
    summary=gettext_lazy("The current stage ends now; its open matches are void."),
    group=OrganiserActionGroup.LEAGUE,
    order=7,
    is_possible=lambda state: bool(state.begun) and not state.begun[-1].ended,
    perform=lambda call: _end(call, end_stage),
    voids_open_matches=True,
    describe={StageEndedEarly: _stage_ended},
)
CLOSE_LEAGUE = OrganiserAction(
    verb="close",
    label=gettext_lazy("Close the league"),
    summary=gettext_lazy("The league is closed now; its open matches are void."),
    group=OrganiserActionGroup.LEAGUE,
    order=8,
    is_possible=lambda state: bool(state.rounds),
    perform=lambda call: _end(call, close_league),
    voids_open_matches=True,
    describe={LeagueEndedEarly: _league_ended},
)
CANCEL_LEAGUE = OrganiserAction(
    verb="cancel",
    label=gettext_lazy("Cancel the league"),
    summary=gettext_lazy("The league does not take place; nobody can enter it any more."),
    group=OrganiserActionGroup.LEAGUE,
    order=9,
    is_possible=lambda state: not state.rounds,
    perform=lambda call: _end(call, cancel_league),
    describe={LeagueCancelled: _league_cancelled},
)
ACTS = (END_STAGE, CLOSE_LEAGUE, CANCEL_LEAGUE)
