"""Organisers' action that enters a list of bots in a league at once."""
# Refused lines of the list do not stop the others.

from __future__ import annotations

from django.utils.translation import gettext_lazy

from tournaments.leagues.bulk_league_entry import enter_list, preview_entry_list
from tournaments.organisers.organiser_action_definition import OrganiserAction, OrganiserActionArgument

BOTS = OrganiserActionArgument(
    name="bots",
    label=gettext_lazy("Bots"),
    help_text=gettext_lazy("their newest active versions enter"),
    many=True,
    example="careful",
)
ACTS = (
    OrganiserAction(
        verb="enlist",
        label=gettext_lazy("Enter many bots"),
        summary=gettext_lazy("The bots of a list enter, except those that may not."),
        fields=(BOTS,),
        preview_lines=lambda state, call: preview_entry_list(call.league, state, call.arguments["bots"], call.actor),
        perform=lambda call: enter_list(call.league.pk, call.arguments["bots"], call.actor),
    ),
)
