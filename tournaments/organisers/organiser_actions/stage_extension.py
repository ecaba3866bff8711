"""Organisers' action that changes the number of rounds of the current stage."""

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from ftk_core.league.formats import find_format
from ftk_core.league.formats.group_round_robin_schedule import repeats_part_of_a_schedule
from ftk_core.league.intervention_facts import LeagueExtended
from ftk_core.league.league_command_handlers import planned_rounds
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.league_state_from_events import apply_fact
from ftk_core.league.organiser_command_handlers import extend_stage
from ftk_core.league.stage_progress import progress_of
from tournaments.league_limits import LEAGUE_ROUNDS
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

    Raises CommandRejected if the league would then have more rounds than a league may have, or than ladders can rate,
    or if a group would repeat a part of its schedule.
    """
    fact = extend_stage(league, call.arguments["rounds"], call.actor)
    after = apply_fact(league, fact)
    rounds = planned_rounds(after)
    if rounds > LEAGUE_ROUNDS[-1]:
        raise CommandRejected(
            _("then all stages of %(league)s have %(rounds)s rounds; a league has at most %(most)s")
            % {"league": league.header.name, "rounds": rounds, "most": LEAGUE_ROUNDS[-1]}
        )
    if find_format(after.stages[after.begun[-1].number - 1].format).ranked_groups and repeats_part_of_a_schedule(
        progress_of(league), progress_of(after)
    ):
        raise CommandRejected(_("a group has played all its rounds and has byes; it would repeat only a part of them"))
    check_ladder_room(rounds, after.stages[after.begun[-1].number - 1 :])
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
