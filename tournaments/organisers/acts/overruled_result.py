"""Act of an organiser or judge that replaces the result of a finished match: the bots get other places."""

from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.league import match_result_command_handlers
from ftk_core.league.intervention_facts import ResultOverruled
from ftk_core.league.league_state import LeagueState
from tournaments.organisers.access_rights import REJUDGE
from tournaments.organisers.act_definition import (
    MATCH,
    ActFormGroup,
    OrganiserAct,
    OrganiserActArgument,
    OrganiserActDescription,
    match_title,
    results_before_and_after,
)

PLACES = OrganiserActArgument(
    name="places",
    label=gettext_lazy("Places by seat"),
    help_text=gettext_lazy("such as 1 2 2"),
    number=True,
    many=True,
    metavar="place",
)


def _describe(league: LeagueState, fact: ResultOverruled) -> OrganiserActDescription:
    before, after = results_before_and_after(league, fact)
    what = _("%(match)s counts with other places than it was played to.") % {"match": match_title(fact)}
    return OrganiserActDescription(what=what, before=before, after=after, match=fact.match)


ACTS = (
    OrganiserAct(
        verb="overrule",
        label=gettext_lazy("Overrule"),
        summary=gettext_lazy("The match counts with other places."),
        group=ActFormGroup.MATCH,
        order=3,
        fields=(MATCH, PLACES),
        right=REJUDGE,
        is_possible=lambda state: bool(state.rounds),
        decide=lambda state, call: match_result_command_handlers.overrule_result(
            state, call.match_key, call.arguments["places"], call.actor
        ),
        describe={ResultOverruled: _describe},
    ),
)
