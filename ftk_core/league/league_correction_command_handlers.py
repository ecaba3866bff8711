"""Commands of organisers to correct a league, to change its number of rounds, or to end or cancel it early."""
# If a stage or league is ended, the caller must void its open matches.

from __future__ import annotations

from typing import Any
from unicodedata import category

from ftk_core.league import intervention_facts
from ftk_core.league.formats import find_format
from ftk_core.league.formats.group_round_robin_schedule import repeats_part_of_a_schedule
from ftk_core.league.intervention_facts import MAX_DESCRIPTION_CHARACTERS, MAX_LEAGUE_NAME_CHARACTERS
from ftk_core.league.league_command_handlers import planned_rounds
from ftk_core.league.league_event_actors import LeagueActor, attribution_of
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.league_state_from_events import CORRECTABLE_TERMS, apply_fact
from ftk_core.league.organiser_command_handlers import MAX_LEAGUE_ROUNDS, check_open
from ftk_core.league.stage_progress import progress_of


def correct_league(league: LeagueState, actor: LeagueActor, **terms: Any) -> intervention_facts.LeagueCorrected:
    """Return the event that corrects settings of a league.

    Keyword arguments are the new values, or None for no change. Raises CommandRejected for invalid values and if
    nothing changes.
    """
    # Only the settings in `CORRECTABLE_TERMS` can be corrected.
    check_open(league)
    header = league.header
    if terms.get("description") is not None:
        terms["description"] = format_description(terms["description"])
    changed = {name: terms[name] for name in CORRECTABLE_TERMS if terms.get(name) not in (None, getattr(header, name))}
    if not changed:
        raise CommandRejected(
            "this would change nothing in %(league)s; give at least one term a new value", league=header.name
        )
    if "name" in changed:
        _check_name(changed["name"])
    if "entries_until" in changed:
        _check_entry_deadline(league, changed["entries_until"], actor.at)
    return intervention_facts.LeagueCorrected(**changed, **attribution_of(actor))


def format_description(text: str) -> str:
    """Return a league's description without outer white space, with line feeds as line ends.

    Raises CommandRejected if it is too long or contains control characters.
    """
    description = text.replace("\r\n", "\n").strip()
    if len(description) > MAX_DESCRIPTION_CHARACTERS:
        raise CommandRejected(
            "a description has at most %(most)s characters, not %(count)s",
            most=MAX_DESCRIPTION_CHARACTERS, count=len(description),
        )  # fmt: skip
    for number, line in enumerate(description.split("\n"), 1):
        if any(category(letter) in ("Cc", "Cs") for letter in line.replace("\t", "")):
            raise CommandRejected(
                "line %(line)s of the description contains a control character; remove it", line=number
            )
    return description


def _check_name(name: str) -> None:
    if not name.strip() or len(name) > MAX_LEAGUE_NAME_CHARACTERS or not name.isprintable():
        raise CommandRejected(
            "a league's name has 1 to %(most)s characters that can be shown, not %(count)s",
            most=MAX_LEAGUE_NAME_CHARACTERS, count=len(name),
        )  # fmt: skip


def _check_entry_deadline(league: LeagueState, until: int, at: int) -> None:
    if league.begun or league.rounds:
        raise CommandRejected("%(league)s has begun; its entry deadline stays as it is", league=league.header.name)
    if until and until <= at:
        raise CommandRejected("entries cannot close in the past; give a later time, or none")


def end_stage(league: LeagueState, actor: LeagueActor) -> intervention_facts.StageEndedEarly:
    """Return the event that ends the current stage now.

    The caller must void the stage's open matches. Raises CommandRejected if no stage is being played.
    """
    check_open(league)
    if not league.begun or league.begun[-1].ended or league.begun[-1].cut:
        raise CommandRejected(
            "no stage of %(league)s is being played; close the league instead", league=league.header.name
        )
    return intervention_facts.StageEndedEarly(stage=league.begun[-1].number, **attribution_of(actor))


def close_league(league: LeagueState, actor: LeagueActor) -> intervention_facts.LeagueEndedEarly:
    """Return the event that ends a league now.

    The caller must void the league's open matches. Raises CommandRejected before the first round.
    """
    return end_league(league, actor, strictly=True)


def end_league(
    league: LeagueState, actor: LeagueActor, *, strictly: bool = False
) -> intervention_facts.LeagueEndedEarly:
    """Return the event that ends a league now. Raises CommandRejected before the first round.

    Under version 0 or 1 of the league rules, a league can end before its first round, unless `strictly` is True.
    """
    # Such leagues recorded this event when they were cancelled, and the audit repeats it. Organisers use
    # `close_league`.
    check_open(league)
    if not league.rounds and (strictly or league.header.rules >= 2):
        raise CommandRejected("no round of %(league)s has begun; cancel the league instead", league=league.header.name)
    return intervention_facts.LeagueEndedEarly(**attribution_of(actor))


def cancel_league(league: LeagueState, actor: LeagueActor) -> intervention_facts.LeagueCancelled:
    """Return the event that cancels a league before its first round.

    Raises CommandRejected once a round has begun.
    """
    check_open(league)
    if league.rounds:
        raise CommandRejected("%(league)s has begun; close the league instead", league=league.header.name)
    return intervention_facts.LeagueCancelled(**attribution_of(actor))


def extend_stage(
    league: LeagueState, rounds: int, actor: LeagueActor, *, strictly: bool = False
) -> intervention_facts.LeagueExtended:
    """Return the event that sets the current stage's number of rounds.

    Raises CommandRejected if no stage has begun, or if the number is too small or too large. The same if all stages
    together would have too many rounds, or if a group would repeat only a part of its schedule. Versions 0 to 2 of the
    league rules let organisers do the last two, which `strictly` forbids in all leagues.
    """
    check_open(league)
    if not league.begun:
        raise CommandRejected(
            "%(league)s has not begun; announce it anew with %(rounds)s rounds",
            league=league.header.name,
            rounds=rounds,
        )
    number = len(league.rounds) + 1
    played = number - league.stage_of(number).first + (league.draft is not None)
    if not max(1, played) <= rounds <= MAX_LEAGUE_ROUNDS:
        raise CommandRejected(
            "the stage has %(played)s rounds already; it can have %(least)s to %(most)s, not %(rounds)s",
            played=played, least=max(1, played), most=MAX_LEAGUE_ROUNDS, rounds=rounds,
        )  # fmt: skip
    fact = intervention_facts.LeagueExtended(rounds=rounds, **attribution_of(actor))
    if strictly or league.header.rules >= 3:
        _check_all_stages(league, apply_fact(league, fact))
    return fact


def _check_all_stages(league: LeagueState, after: LeagueState) -> None:
    """Raise CommandRejected if a league `after` a change of its number of rounds breaks a limit."""
    rounds = planned_rounds(after)
    if rounds > MAX_LEAGUE_ROUNDS:
        raise CommandRejected(
            "then all stages of %(league)s have %(rounds)s rounds; a league has at most %(most)s",
            league=league.header.name, rounds=rounds, most=MAX_LEAGUE_ROUNDS,
        )  # fmt: skip
    form = find_format(after.stages[after.begun[-1].number - 1].format)
    if form.ranked_groups and repeats_part_of_a_schedule(progress_of(league), progress_of(after)):
        # some of its bots would meet more often than others
        raise CommandRejected("a group has played all its rounds and has byes; it would repeat only a part of them")
