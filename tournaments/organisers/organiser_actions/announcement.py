"""Organisers' action that publishes a message on the league's page."""

from django.utils.text import format_lazy
from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.league.intervention_facts import AnnouncementMade
from ftk_core.league.league_state import LeagueState
from ftk_core.league.organiser_command_handlers import MAX_ANNOUNCEMENT_CHARACTERS, announce_message
from tournaments.leagues.league_event_appending import act
from tournaments.organisers.organiser_action_definition import (
    OrganiserAction,
    OrganiserActionArgument,
    OrganiserActionDescription,
    OrganiserActionGroup,
)

TEXT = OrganiserActionArgument(
    name="text",
    label=gettext_lazy("Announcement"),
    help_text=format_lazy(gettext_lazy("one line of at most {most} characters"), most=MAX_ANNOUNCEMENT_CHARACTERS),
    max_characters=MAX_ANNOUNCEMENT_CHARACTERS,
    example="We begin at eight.",
)


def _describe(_league: LeagueState, fact: AnnouncementMade) -> OrganiserActionDescription:
    return OrganiserActionDescription(what=_("Announcement: %(text)s") % {"text": fact.text})


ACTS = (
    OrganiserAction(
        verb="announce",
        label=gettext_lazy("Announce"),
        summary=gettext_lazy("A message is shown on the league's page, and sent to the authors of its entries."),
        needs_reason=False,
        group=OrganiserActionGroup.LEAGUE,
        order=4,
        fields=(TEXT,),
        perform=lambda call: act(call.league.pk, announce_message, call.arguments["text"], call.actor),
        describe={AnnouncementMade: _describe},
    ),
)
