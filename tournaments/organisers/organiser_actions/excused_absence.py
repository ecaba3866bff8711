"""Organisers' action that excuses an entry from given future rounds."""

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from ftk_core.league.intervention_facts import BotAbsenceGranted
from ftk_core.league.league_state import LeagueState
from ftk_core.league.organiser_command_handlers import excuse_entry
from tournaments.leagues.league_event_appending import act
from tournaments.organisers.organiser_action_definition import (
    ENTRY,
    OrganiserAction,
    OrganiserActionArgument,
    OrganiserActionDescription,
    OrganiserActionGroup,
    entry_name,
    list_numbers,
)

ROUNDS = OrganiserActionArgument(name="rounds", label=gettext_lazy("Rounds"), number=True, many=True, metavar="round")


def _describe(league: LeagueState, fact: BotAbsenceGranted) -> OrganiserActionDescription:
    values = {"name": entry_name(league, fact.entry), "rounds": list_numbers(fact.rounds)}
    count = len(fact.rounds)
    what = ngettext("%(name)s is excused from round %(rounds)s.", "%(name)s is excused from rounds %(rounds)s.", count)
    after = ngettext("not paired in round %(rounds)s", "not paired in rounds %(rounds)s", count)
    return OrganiserActionDescription(what=what % values, before=_("paired in every round"), after=after % values)


ACTS = (
    OrganiserAction(
        verb="excuse",
        label=gettext_lazy("Excuse"),
        summary=gettext_lazy("The entry is not paired in the given future rounds."),
        group=OrganiserActionGroup.ENTRY,
        order=4,
        fields=(ENTRY, ROUNDS),
        perform=lambda call: act(
            call.league.pk, excuse_entry, call.arguments["entry"], call.arguments["rounds"], call.actor
        ),
        describe={BotAbsenceGranted: _describe},
    ),
)
