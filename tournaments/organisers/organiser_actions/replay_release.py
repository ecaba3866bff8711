"""Organisers' action that makes replays public at once, before the time in the league's settings."""

from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.league.intervention_facts import ReplaysReleased
from ftk_core.league.league_state import LeagueState
from ftk_core.league.organiser_command_handlers import release_replays
from tournaments.leagues.league_event_appending import act
from tournaments.organisers.organiser_action_definition import (
    OrganiserAction,
    OrganiserActionArgument,
    OrganiserActionDescription,
    OrganiserActionGroup,
)
from tournaments.summaries.league_terms import RELEASE_NAMES

ROUND = OrganiserActionArgument(
    name="round",
    label=gettext_lazy("Round"),
    help_text=gettext_lazy("0 for all, those to come too"),
    number=True,
)


def _describe(league: LeagueState, fact: ReplaysReleased) -> OrganiserActionDescription:
    of_round = _("The replays of round %(round)s were released to everybody.") % {"round": fact.round}
    return OrganiserActionDescription(
        what=of_round if fact.round else _("The replays of all rounds were released to everybody."),
        before=_("everybody's %(release)s") % {"release": _(RELEASE_NAMES[league.header.release])},
        after=_("everybody's"),
    )


ACTS = (
    OrganiserAction(
        verb="release",
        label=gettext_lazy("Release replays"),
        summary=gettext_lazy("The replays of a round, or of all rounds, are public."),
        group=OrganiserActionGroup.LEAGUE,
        order=5,
        fields=(ROUND,),
        is_possible=lambda state: not all(state.is_released(each) for each in range(1, len(state.rounds) + 2)),
        perform=lambda call: act(call.league.pk, release_replays, call.arguments["round"], call.actor),
        describe={ReplaysReleased: _describe},
    ),
)
