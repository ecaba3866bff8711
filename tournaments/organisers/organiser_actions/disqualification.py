"""Organisers' action that disqualifies an entry: it plays no more and is placed last."""

from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.league.intervention_facts import BotDisqualified
from ftk_core.league.league_state import LeagueState
from ftk_core.league.organiser_command_handlers import disqualify_entry
from tournaments.leagues.league_event_appending import act
from tournaments.organisers.organiser_action_definition import (
    ENTRY,
    OrganiserAction,
    OrganiserActionGroup,
    entry_name,
    with_constant_states,
)


@with_constant_states(
    gettext_lazy("paired, and placed by its points"), gettext_lazy("not paired, and behind all others")
)
def _describe(league: LeagueState, fact: BotDisqualified) -> str:
    name = entry_name(league, fact.entry)
    return _("%(name)s was disqualified: it plays no more and stands behind all others.") % {"name": name}


ACTS = (
    OrganiserAction(
        verb="disqualify",
        label=gettext_lazy("Disqualify"),
        summary=gettext_lazy("The entry is no longer paired and ranks below all others."),
        group=OrganiserActionGroup.ENTRY,
        order=5,
        fields=(ENTRY,),
        perform=lambda call: act(call.league.pk, disqualify_entry, call.arguments["entry"], call.actor),
        describe={BotDisqualified: _describe},
    ),
)
