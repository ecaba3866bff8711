"""Organisers' action that invites an author to a league that only invited authors may enter."""

from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.league.intervention_facts import AuthorInvited
from ftk_core.league.league_state import LeagueState
from ftk_core.league.organiser_command_handlers import invite_author
from tournaments.leagues.league_event_appending import act
from tournaments.organisers.organiser_action_definition import (
    OrganiserAction,
    OrganiserActionArgument,
    OrganiserActionGroup,
    with_constant_states,
)

AUTHOR = OrganiserActionArgument(name="author", label=gettext_lazy("Author's name"), example="ada")


@with_constant_states(gettext_lazy("could not enter"), gettext_lazy("may enter"))
def _describe(_league: LeagueState, fact: AuthorInvited) -> str:
    return _("%(author)s was invited to enter.") % {"author": fact.author}


ACTS = (
    OrganiserAction(
        verb="invite",
        label=gettext_lazy("Invite an author"),
        summary=gettext_lazy("An author may enter a league that is by invitation only."),
        group=OrganiserActionGroup.ENTRY,
        order=7,
        fields=(AUTHOR,),
        is_possible=lambda state: state.header.who == "invited",
        perform=lambda call: act(call.league.pk, invite_author, call.arguments["author"], call.actor),
        describe={AuthorInvited: _describe},
    ),
)
