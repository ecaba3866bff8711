"""Organisers' and judges' action that replaces the result of a finished match: the bots get other places."""

from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.league.intervention_facts import ResultOverruled
from ftk_core.league.league_state import LeagueState
from ftk_core.league.match_result_command_handlers import overrule_result
from tournaments.leagues.league_event_appending import act
from tournaments.leagues.queries import find_table
from tournaments.organisers.league_access_rights import REJUDGE
from tournaments.organisers.organiser_action_definition import (
    MATCH,
    OrganiserAction,
    OrganiserActionArgument,
    OrganiserActionDescription,
    OrganiserActionGroup,
    OrganiserActionRequest,
    match_title,
    results_before_and_after,
)

PLACES = OrganiserActionArgument(
    name="places",
    label=gettext_lazy("Places by seat"),
    help_text=gettext_lazy("such as 1 2 2"),
    number=True,
    many=True,
    metavar="place",
)


def _overrule(state: LeagueState, call: OrganiserActionRequest) -> ResultOverruled:
    return overrule_result(
        state, find_table(call.league.pk, call.arguments["match"]), call.arguments["places"], call.actor
    )


def _describe(league: LeagueState, fact: ResultOverruled) -> OrganiserActionDescription:
    before, after = results_before_and_after(league, fact)
    what = _("%(match)s counts with places that replace its result.") % {"match": match_title(fact)}
    return OrganiserActionDescription(what=what, before=before, after=after, match=fact.match)


ACTS = (
    OrganiserAction(
        verb="overrule",
        label=gettext_lazy("Overrule"),
        summary=gettext_lazy("The match counts with other places."),
        group=OrganiserActionGroup.MATCH,
        order=3,
        fields=(MATCH, PLACES),
        right=REJUDGE,
        is_possible=lambda state: bool(state.rounds),
        perform=lambda call: act(call.league.pk, _overrule, call),
        describe={ResultOverruled: _describe},
    ),
)
