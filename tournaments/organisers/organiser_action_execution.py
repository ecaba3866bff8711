"""Execution of organisers' actions. Rights are checked in `organiser_action_submission`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ftk_core.league.intervention_facts import Act
from ftk_core.league.league_event_actors import LeagueActor, attribution_of
from ftk_core.league.league_facts import BotEntered
from ftk_core.league.league_state import LeagueState
from tournaments.leagues import services
from tournaments.leagues.bulk_league_entry import BulkEntryLineResult
from tournaments.leagues.league_event_projection import load
from tournaments.models import League
from tournaments.organisers.organiser_action_definition import OrganiserAction, OrganiserActionRequest
from tournaments.organisers.organiser_actions import actions_by_verb


def perform(league: League, verb: str, arguments: Mapping[str, Any], actor: LeagueActor) -> None:
    """Execute an organiser's action `verb` on a league. If it is impossible, raise CommandRejected without effects."""
    act, call = actions_by_verb()[verb], OrganiserActionRequest(league=league, arguments=arguments, actor=actor)
    if act.perform:
        act.perform(call)
    else:
        services.act(league.pk, make_fact_builder(league, verb, arguments, actor))


def make_fact_builder(
    league: League, verb: str, arguments: Mapping[str, Any], actor: LeagueActor
) -> Callable[[LeagueState], Act | BotEntered]:
    """Return a function that computes the event of an action from a league's state.

    Raises TypeError for an action that does not append exactly one event.
    """
    decide, call = (
        actions_by_verb()[verb].decide,
        OrganiserActionRequest(league=league, arguments=arguments, actor=actor),
    )
    if decide is None:
        raise TypeError(f"{verb} is not an act of one fact")
    return lambda state: decide(state, call)


def preview_lines(
    league: League, verb: str, arguments: Mapping[str, Any], actor: LeagueActor
) -> list[BulkEntryLineResult]:
    """Return the effects of an action on a list, such as bots to enter, line by line; [] for other actions."""
    judge, call = (
        actions_by_verb()[verb].preview_lines,
        OrganiserActionRequest(league=league, arguments=arguments, actor=actor),
    )
    return judge(load(league)[1], call) if judge else []


def check(league: League, verb: str, arguments: Mapping[str, Any], actor: LeagueActor) -> None:
    """Raise CommandRejected if an organiser's action is impossible now, without executing it."""
    # The check is complete only for actions that append one event. For all others, only the reason is checked.
    act = actions_by_verb()[verb]
    if act.decide:
        make_fact_builder(league, verb, arguments, actor)(load(league)[1])
    elif act.needs_reason:
        attribution_of(actor)


def list_possible(state: LeagueState) -> list[OrganiserAction]:
    """Return the actions that the organisers' page offers in this state of the league."""
    return [act for act in actions_by_verb().values() if act.group and not state.closed and act.is_possible(state)]
