"""Organisers' actions that pause and resume a league. While the league is paused, no round begins."""

from django.utils.translation import gettext as _, gettext_lazy

from ftk_core.league.intervention_facts import LeaguePaused, LeagueResumed
from ftk_core.league.league_state import LeagueState
from ftk_core.league.organiser_command_handlers import pause_league, resume_league
from tournaments.leagues.league_event_appending import act
from tournaments.organisers.organiser_action_definition import (
    OrganiserAction,
    OrganiserActionDescription,
    OrganiserActionGroup,
)


def _running(league: LeagueState) -> str:
    return _("rounds begin when the organiser begins them") if league.header.held else _("rounds begin as due")


def _describe_pause(league: LeagueState, _fact: LeaguePaused) -> OrganiserActionDescription:
    what = _("The league was paused: no round begins.")
    return OrganiserActionDescription(what=what, before=_running(league), after=_("no round begins"))


def _describe_resumption(league: LeagueState, _fact: LeagueResumed) -> OrganiserActionDescription:
    what = _("The league was resumed: rounds begin again.")
    return OrganiserActionDescription(what=what, before=_("no round begins"), after=_running(league))


ACTS = (
    OrganiserAction(
        verb="pause",
        label=gettext_lazy("Pause"),
        summary=gettext_lazy("No round begins."),
        group=OrganiserActionGroup.LEAGUE,
        order=2,
        is_possible=lambda state: not state.paused,
        perform=lambda call: act(call.league.pk, pause_league, call.actor),
        describe={LeaguePaused: _describe_pause},
    ),
    OrganiserAction(
        verb="resume",
        label=gettext_lazy("Resume"),
        summary=gettext_lazy("Rounds begin again."),
        group=OrganiserActionGroup.LEAGUE,
        order=3,
        is_possible=lambda state: state.paused,
        perform=lambda call: act(call.league.pk, resume_league, call.actor),
        describe={LeagueResumed: _describe_resumption},
    ),
)
