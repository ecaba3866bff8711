"""Organisers' and judges' actions that cancel the result of a match."""
# One of them also creates a rematch.

from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.league.intervention_facts import MatchReplaced, MatchVoided
from ftk_core.league.league_state import LeagueState
from ftk_core.league.match_result_command_handlers import void_match
from tournaments.leagues.league_event_appending import act
from tournaments.leagues.queries import find_table
from tournaments.leagues.void_match_resolution import void_and_play_again
from tournaments.organisers.league_access_rights import REJUDGE
from tournaments.organisers.organiser_action_definition import (
    MATCH,
    OrganiserAction,
    OrganiserActionDescription,
    OrganiserActionGroup,
    OrganiserActionRequest,
    match_title,
    results_before_and_after,
)


def _void(state: LeagueState, call: OrganiserActionRequest) -> MatchVoided:
    return void_match(state, find_table(call.league.pk, call.arguments["match"]), call.arguments["match"], call.actor)


def _describe_void(league: LeagueState, fact: MatchVoided) -> OrganiserActionDescription:
    before, after = results_before_and_after(league, fact)
    what = _("%(match)s counts for nobody.") % {"match": match_title(fact)}
    return OrganiserActionDescription(what=what, before=before, after=after, match=fact.match)


def _describe_replacement(_league: LeagueState, fact: MatchReplaced) -> OrganiserActionDescription:
    values = {"match": match_title(fact), "deal": fact.deal + 1}
    same_deal = _("%(match)s was void and is played again on the same deal.")
    new_deal = _("%(match)s was void and is played again on deal %(deal)s of its table.")
    played = _("played as match %(match)s")
    return OrganiserActionDescription(
        what=(new_deal if fact.deal else same_deal) % values,
        before=played % {"match": fact.old},
        after=played % {"match": fact.new},
        match=fact.new,
    )


ACTS = (
    OrganiserAction(
        verb="void",
        label=gettext_lazy("Void"),
        summary=gettext_lazy("The match counts for nobody."),
        group=OrganiserActionGroup.MATCH,
        order=1,
        fields=(MATCH,),
        right=REJUDGE,
        is_possible=lambda state: bool(state.rounds),
        perform=lambda call: act(call.league.pk, _void, call),
        describe={MatchVoided: _describe_void},
    ),
    OrganiserAction(
        verb="again",
        label=gettext_lazy("Void and play again"),
        summary=gettext_lazy("A match of the current round counts for nobody and is played again."),
        group=OrganiserActionGroup.MATCH,
        order=2,
        fields=(MATCH,),
        right=REJUDGE,
        is_possible=lambda state: state.playing > state.closed_rounds,
        perform=lambda call: void_and_play_again(call.league.pk, call.arguments["match"], call.actor),
        describe={MatchReplaced: _describe_replacement},
    ),
)
