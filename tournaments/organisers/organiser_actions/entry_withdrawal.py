"""Organisers' actions that withdraw an entry and bring it back."""

from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.league.intervention_facts import BotWithdrew, WithdrawnBotReturned
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_state import LeagueState
from ftk_core.league.organiser_command_handlers import return_entry, withdraw_from_league
from tournaments.leagues.league_event_appending import act
from tournaments.organisers.organiser_action_definition import (
    ENTRY,
    OrganiserAction,
    OrganiserActionGroup,
    entry_name,
    with_constant_states,
)


@with_constant_states(gettext_lazy("paired"), gettext_lazy("not paired any more"))
def _describe_withdrawal(league: LeagueState, fact: BotWithdrew) -> str:
    return _("%(name)s withdrew.") % {"name": entry_name(league, fact.entry)}


def _return(league: LeagueState, entry: int, actor: LeagueActor) -> WithdrawnBotReturned:
    """Return the event that brings an entry back; raises CommandRejected if it is not in the stage being played."""
    return return_entry(league, entry, actor, strictly=True)


@with_constant_states(gettext_lazy("not paired"), gettext_lazy("paired again"))
def _describe_return(league: LeagueState, fact: WithdrawnBotReturned) -> str:
    return _("%(name)s came back.") % {"name": entry_name(league, fact.entry)}


ACTS = (
    OrganiserAction(
        verb="withdraw",
        label=gettext_lazy("Withdraw"),
        summary=gettext_lazy("The entry is no longer paired."),
        group=OrganiserActionGroup.ENTRY,
        order=2,
        fields=(ENTRY,),
        perform=lambda call: act(call.league.pk, withdraw_from_league, call.arguments["entry"], call.actor),
        describe={BotWithdrew: _describe_withdrawal},
    ),
    OrganiserAction(
        verb="return",
        label=gettext_lazy("Bring back"),
        summary=gettext_lazy("An entry that withdrew is paired again."),
        group=OrganiserActionGroup.ENTRY,
        order=3,
        fields=(ENTRY,),
        perform=lambda call: act(call.league.pk, _return, call.arguments["entry"], call.actor),
        describe={WithdrawnBotReturned: _describe_return},
    ),
)
