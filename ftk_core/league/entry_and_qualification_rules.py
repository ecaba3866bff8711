"""Rules for entering a league and for beginning its stages: entry period, minimum number of bots, qualification."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace as put

from ftk_core.i18n import Message
from ftk_core.league.event_fields import QualifiedEntrant, StageSettings
from ftk_core.league.formats import find_format
from ftk_core.league.league_facts import LeagueOpened, StageBegun
from ftk_core.league.league_state import WIN, CommandRejected, LeagueEntrant, LeagueState
from ftk_core.league.scoring.entrant_stage_totals import tallies_of
from ftk_core.league.standings import standings
from ftk_core.league.statistics.round_seed_hash_chain import chance_of

CARRIED_SHARES = {"none": Fraction(0), "half": Fraction(1, 2), "all": Fraction(1)}
"""Value of `StageSettings.carry` -> part of its points that a bot keeps in the next stage."""


def first_stage_too_small(stages: Sequence[StageSettings], entries: int) -> tuple[int, int, int] | None:
    """Find the first stage of a league that would have too few bots, if `entries` bots begin the first stage.

    Return (index of the stage, number of bots it needs, number of bots it would have), or None.
    """
    # Each later stage has the bots that qualify.
    for number, terms in enumerate(stages):
        entries = min(terms.qualify or entries, entries) if number else entries
        if entries < (needed := find_format(terms.format).min_entries(terms)):
            return number, needed, entries
    return None


def check_size(league: LeagueState, stage: int, entries: int) -> None:
    """Raise CommandRejected if too few bots would play in a stage, or in a later stage of the league.

    `stage` is the stage's number, and `entries` the number of its bots. The later stages have the bots that qualify.
    """
    if short := first_stage_too_small(league.stages[stage - 1 :], entries):
        number, needed, have = short
        terms = league.stages[stage - 1 + number]
        too_small = Message(
            "stage %(stage)s (%(format)s) needs %(needed)s entries or more, and would have %(have)s",
            stage=stage + number, format=Message(terms.format.replace("_", " ")), needed=needed, have=have,
        )  # fmt: skip
        if league.rounds:
            raise CommandRejected("%(too_small)s; let more play, or close the league", too_small=too_small)
        raise CommandRejected("%(too_small)s; admit more entries, or cancel the league", too_small=too_small)


def last_late_round(opened: LeagueOpened) -> int:
    """Return the number of the last round in which a late entry can start, by the league's settings.

    0 and 1 both mean that bots can enter only before the first round.
    """
    rounds = opened.stages[0].rounds if opened.stages else opened.rounds
    return min(opened.late, rounds or opened.late)


def check_entry_open(league: LeagueState, *, strictly: bool = False) -> None:
    """Raise CommandRejected if no bot can enter the league any more.

    Versions 0 and 1 of the league rules accept some entries that version 2 refuses. `strictly` applies version 2 to
    all leagues.
    """
    head, round_ = league.header, len(league.rounds) + 1
    strictly = strictly or head.rules >= 2
    if league.is_cancelled:
        raise CommandRejected("%(league)s was cancelled; enter another league", league=head.name)
    if league.closed:
        raise CommandRejected("%(league)s is over; enter another league", league=head.name)
    if round_ > max(1, head.late) or (league.begun and league.begun[-1].number > 1):
        raise CommandRejected("%(league)s has begun; enter the next league", league=head.name)
    last = league.announced_rounds(league.stage_of(1))
    if strictly and (league.is_ended_early or 0 < last < round_):  # the bot would get points without a match
        raise CommandRejected(
            "the last round for which %(league)s takes late entries has begun; enter the next league", league=head.name
        )
    if round_ > 1 and not find_format(league.stages[0].format).takes_late:
        raise CommandRejected(
            "%(league)s has begun, and its format takes nobody late; enter the next league", league=head.name
        )
    if strictly and league.begun and not find_format(league.stages[0].format).takes_late:
        raise CommandRejected(
            "the first round of %(league)s is drafted, and its format takes nobody late; enter the next league",
            league=head.name,
        )


def has_final_draft(league: LeagueState) -> bool:
    """Return True if the first round is drafted (paired, but not begun) and the league takes no late entries."""
    # A late entry would need another draft.
    return league.draft is not None and not league.rounds and league.header.late <= 1


def granted_points(league: LeagueState) -> Fraction:
    """Return the points that a bot receives for the rounds that it missed because it entered late."""
    # Before version 2 of the league rules, the mean of all points so far counts for any number of missed rounds. It
    # contains the results of an open round, but not its byes.
    missed, closed = len(league.rounds), league.closed_rounds
    if not missed or league.header.granted == "none":
        return Fraction(0)
    if league.header.rules < 2 and league.header.granted == "mean":
        return _mean_points(league)
    if league.header.granted == "half" or not closed:
        return WIN * league.stages[0].games * missed / 2
    return _mean_points(put(league, rounds=league.rounds[:closed])) * missed / closed


def _mean_points(league: LeagueState) -> Fraction:
    """Return the mean points of all bots that have not withdrawn."""
    # Bots that start after the coming round do not count: they have points for more rounds than the others.
    coming = len(league.rounds) + 1
    present = {entrant.entry for entrant in league.entrants if not entrant.withdrawn and entrant.since <= coming}
    points = [tally.points for entry, tally in tallies_of(league, league.stage_of(1)).items() if entry in present]
    return sum(points, Fraction(0)) / max(1, len(points))


def stage_begun_fact(
    league: LeagueState, number: int, entries: tuple[QualifiedEntrant, ...], rated: Mapping[int, int]
) -> StageBegun:
    """Return the event that begins a stage. Empty `entries` stand for all bots of the league.

    If the ratings decide the seeding of the stage, the event records them. `rated` holds the ratings by bot.
    """
    terms, ratings = league.stages[number - 1], tuple[tuple[int, int], ...]()
    if terms.seeding == "rating":
        entry_numbers = [one.entry for one in entries] or [one.entry for one in league.entrants if not one.withdrawn]
        ratings = tuple((entry, rated[entry]) for entry in entry_numbers if entry in rated)
    return StageBegun(stage=number, entries=entries, ratings=ratings)


def qualified_entries(league: LeagueState, ended: int, link: str) -> tuple[QualifiedEntrant, ...]:
    """Return the bots that qualify for the next stage, the best first.

    Withdrawn bots do not qualify.
    """
    # Bots that share a place are put in random order. Its seed is a link of the league's hash chain: nobody can predict
    # it, and anybody can verify it. Version 0 of the league rules uses the order of entry.
    terms = league.stages[ended]
    ranked = [
        standing
        for standing in standings(league)
        if standing.stage == ended and not league.entrant(standing.entry).withdrawn
    ]
    if league.header.rules:
        order = chance_of(league, link).at("qualified", ended).shuffled([standing.entry for standing in ranked])
        lots = {entry: lot for lot, entry in enumerate(order)}
        ranked.sort(key=lambda standing: (standing.place, lots[standing.entry]))
    ranked = ranked[: terms.qualify or len(ranked)]
    return tuple(
        QualifiedEntrant(standing.entry, str(standing.points * CARRIED_SHARES[terms.carry])) for standing in ranked
    )


def check_renewal(league: LeagueState, entrant: LeagueEntrant, version: int, name: str) -> None:
    """Raise CommandRejected if an entry may not replace its bot by the version with id `version` and name `name`."""
    if league.draft is not None:  # the new version might be made for the opponents
        raise CommandRejected(
            "%(bot)s keeps its version: round %(round)s is drafted", bot=entrant.name, round=league.draft.round
        )
    if not entrant.newest or entrant.since != len(league.rounds) + 1:
        raise CommandRejected(
            "%(bot)s keeps its version: it was not entered as the newest version, or it is already paired",
            bot=entrant.name,
        )
    check_not_entered(league, version, name)
    (bot, number), (old_bot, old_number) = _split_label(name), _split_label(entrant.name)
    # release 1.0.0 also went back to an older version that the author had activated again
    if bot != old_bot or (number <= old_number and league.header.rules >= 2):
        raise CommandRejected("%(bot)s is no newer version of %(entry)s", bot=name, entry=entrant.name)


def check_not_entered(league: LeagueState, version: int, name: str) -> None:
    """Raise CommandRejected if a bot version is in the league already, by its id or its name."""
    if any(version == entrant.version or name == entrant.name for entrant in league.entrants):
        raise CommandRejected("%(bot)s has entered already", bot=name)


def is_newer_version(name: str, old: str) -> bool:
    """Return True if `name` names a newer version of the same bot than `old`.

    A name without a number is the oldest version.

    >>> is_newer_version("bot-10", "bot-9"), is_newer_version("bot-9", "bot-10"), is_newer_version("tob-2", "bot-1")
    (True, False, False)
    """
    (bot, number), (old_bot, old_number) = _split_label(name), _split_label(old)
    return bot == old_bot and number > old_number


def _split_label(name: str) -> tuple[str, int]:
    ((bot, number),) = re.findall(r"\A(.*?)(?:-(\d+))?\Z", name, re.DOTALL)
    return bot, int(number or 0)
