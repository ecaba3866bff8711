"""Organisers' action that forbids two entries to play in the same match from now on."""

from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.league.intervention_facts import PairingForbidden
from ftk_core.league.league_state import LeagueState
from ftk_core.league.organiser_command_handlers import forbid_meeting
from tournaments.leagues.league_event_appending import act
from tournaments.organisers.organiser_action_definition import (
    PAIR,
    OrganiserAction,
    OrganiserActionGroup,
    entry_name,
    with_constant_states,
)


@with_constant_states(gettext_lazy("they could meet"), gettext_lazy("they are not paired together"))
def _describe(league: LeagueState, fact: PairingForbidden) -> str:
    names = {"one": entry_name(league, fact.one), "other": entry_name(league, fact.other)}
    return _("%(one)s and %(other)s are not to meet from now on.") % names


ACTS = (
    OrganiserAction(
        verb="forbid",
        label=gettext_lazy("Forbid a pairing"),
        summary=gettext_lazy("Two entries must not meet from now on."),
        group=OrganiserActionGroup.ENTRY,
        order=6,
        fields=PAIR,
        perform=lambda call: act(
            call.league.pk, forbid_meeting, call.arguments["one"], call.arguments["other"], call.actor
        ),
        describe={PairingForbidden: _describe},
    ),
)
