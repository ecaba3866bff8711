"""Organisers' action that enters a bot of any author in a league."""
# It is also possible after the start of a league that allows late entries.

from fractions import Fraction

from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.league.league_facts import BotEntered
from ftk_core.league.league_state import LeagueState
from tournaments.leagues.entry_rules import make_entry_command
from tournaments.leagues.league_event_appending import act
from tournaments.organisers.organiser_action_definition import (
    OrganiserAction,
    OrganiserActionArgument,
    OrganiserActionDescription,
    OrganiserActionGroup,
)
from tournaments.summaries.league_terms import describe_points

BOT = OrganiserActionArgument(
    name="bot",
    label=gettext_lazy("Bot"),
    help_text=gettext_lazy("its newest active version enters"),
    example="careful",
)


def _describe(_league: LeagueState, fact: BotEntered) -> OrganiserActionDescription:
    values = {"name": fact.name, "round": fact.round, "points": describe_points(fact.points)}
    late = _("%(name)s entered late, for round %(round)s.")
    with_points = _("%(name)s entered late, for round %(round)s, and was given %(points)s.")
    return OrganiserActionDescription(
        what=(with_points if Fraction(fact.points) else late) % values,
        before=_("was not entered"),
        after=_("plays from round %(round)s on") % values,
    )


ACTS = (
    OrganiserAction(
        verb="enter",
        label=gettext_lazy("Late entry"),
        summary=gettext_lazy("The newest active version of a bot enters, late if the league allows it."),
        group=OrganiserActionGroup.ENTRY,
        order=1,
        fields=(BOT,),
        perform=lambda call: act(call.league.pk, make_entry_command(call.league, call.arguments["bot"], call.actor)),
        describe={BotEntered: _describe},
    ),
)
