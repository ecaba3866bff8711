"""Beginning of a stage: its entries, and the minimum number of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ftk_core.league.facts import StageBegun
from ftk_core.league.formats import fewest
from ftk_core.league.luck import chance_of
from ftk_core.league.plans import Qualified, Stage
from ftk_core.league.standings import standings
from ftk_core.league.state import LeagueState, NotNow

CARRIED = {"none": Fraction(0), "half": Fraction(1, 2), "all": Fraction(1)}


def lacking(stages: Sequence[Stage], entries: int) -> tuple[int, int, int] | None:
    """Return (stage from 0, minimum entries, expected entries) of the first stage with too few; None if none has."""
    for number, terms in enumerate(stages):
        entries = min(terms.qualify or entries, entries) if number else entries
        if entries < (needed := fewest(terms)):
            return number, needed, entries
    return None


def check_size(league: LeagueState, stage: int, entries: int) -> None:
    """Raise NotNow if a stage, or a later one, could not be played with this many entries in that stage."""
    if short := lacking(league.stages[stage - 1 :], entries):
        number, needed, have = short
        terms = league.stages[stage - 1 + number]
        raise NotNow(
            f"stage {stage + number} ({terms.format.replace('_', ' ')}) needs {needed} entries or more,"
            f" and would have {have}; let more play, or close the league"
        )


def stage_begun(
    league: LeagueState, number: int, entries: tuple[Qualified, ...], rated: Mapping[int, int]
) -> StageBegun:
    """Return the fact that a stage begins, with the court ratings that seed it; no entries means all."""
    terms, ratings = league.stages[number - 1], tuple[tuple[int, int], ...]()
    if terms.seeding == "rating":
        here = [one.entry for one in entries] or [one.entry for one in league.entrants if not one.withdrawn]
        ratings = tuple((entry, rated[entry]) for entry in here if entry in rated)
    return StageBegun(stage=number, entries=entries, ratings=ratings)


def qualified(league: LeagueState, ended: int, link: str) -> tuple[Qualified, ...]:
    """Return the entries that qualify for the next stage, the first first; a lot from the link breaks ties."""
    terms = league.stages[ended]
    rows = [row for row in standings(league) if row.stage == ended and not league.entrant(row.entry).withdrawn]
    if league.header.rules:
        order = chance_of(league, link).at("qualified", ended).shuffled([row.entry for row in rows])
        lots = {entry: lot for lot, entry in enumerate(order)}
        rows.sort(key=lambda row: (row.place, lots[row.entry]))
    rows = rows[: terms.qualify or len(rows)]
    return tuple(Qualified(row.entry, str(row.points * CARRIED[terms.carry])) for row in rows)
