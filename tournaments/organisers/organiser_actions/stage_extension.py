"""Organisers' action that changes the number of rounds of the current stage."""

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from ftk_core.league.intervention_facts import LeagueExtended
from ftk_core.league.league_command_handlers import planned_rounds
from ftk_core.league.league_correction_command_handlers import extend_stage
from ftk_core.league.league_state import LeagueState
from ftk_core.league.league_state_from_events import apply_fact
from tournaments.leagues.league_event_appending import act
from tournaments.leagues.league_settings_validation import check_ladder_room
from tournaments.organisers.organiser_action_definition import (
    OrganiserAction,
    OrganiserActionArgument,
    OrganiserActionDescription,
    OrganiserActionGroup,
    OrganiserActionRequest,
)

ROUNDS = OrganiserActionArgument(name="rounds", label=gettext_lazy("Rounds"), number=True)


def _extend(league: LeagueState, call: OrganiserActionRequest) -> LeagueExtended:
    """Return the event that sets the current stage's number of rounds.

    Raises CommandRejected if the rules of the league forbid it, or if the ladders could not rate all its rounds.
    """
    fact = extend_stage(league, call.arguments["rounds"], call.actor, strictly=True)
    after = apply_fact(league, fact)
    check_ladder_room(planned_rounds(after), after.stages[after.begun[-1].number - 1 :])
    return fact


def _describe(league: LeagueState, fact: LeagueExtended) -> OrganiserActionDescription:
    rounds = _count(fact.rounds)
    return OrganiserActionDescription(
        what=_("The stage that was being played has %(rounds)s now.") % {"rounds": rounds},
        before=_rounds_before(league, fact),
        after=rounds,
    )


def _rounds_before(league: LeagueState, act: LeagueExtended) -> str:
    """Return a text with the number of rounds before a change; empty for a league of several stages."""
    if len(league.stages) > 1:
        return ""
    earlier = league.noted[: next(at for at, noted in enumerate(league.noted) if noted is act)]
    changes = [noted.rounds for noted in earlier if isinstance(noted, LeagueExtended)]
    return _count([league.stages[0].rounds, *changes][-1])


def _count(number: int) -> str:
    counted = ngettext("%(n)s round", "%(n)s rounds", number) % {"n": number}
    return counted if number else _("as many rounds as its format needs")


ACTS = (
    OrganiserAction(
        verb="extend",
        label=gettext_lazy("Extend or shorten the stage"),
        summary=gettext_lazy("The current stage has this number of rounds."),
        group=OrganiserActionGroup.LEAGUE,
        order=6,
        fields=(ROUNDS,),
        is_possible=lambda state: bool(state.begun) and not state.begun[-1].ended,
        perform=lambda call: act(call.league.pk, _extend, call),
        describe={LeagueExtended: _describe},
    ),
)
