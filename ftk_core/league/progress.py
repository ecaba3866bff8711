"""A stage as far as it has come: what a format is given to say what comes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import msgspec

from ftk_core.league.facts import ResultRecorded, RoundPaired
from ftk_core.league.luck import chance_of
from ftk_core.league.plans import Rest, Stage, TablePlan, Weighed
from ftk_core.league.state import Begun, LeagueState
from ftk_core.league.tallies import entries_of, rounds_of, tallies_of
from ftk_core.rng import Chance


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A stage between two rounds."""

    terms: Stage
    rounds: int
    """How many it is to have, as announced or as its organiser changed it; 0 where its format knows."""
    number: int
    """The next round as the league counts it."""
    seeds: tuple[int, ...]
    """Who plays it, the first seed first."""
    present: frozenset[int]
    """Who can be paired."""
    excused: frozenset[int]
    """Who cannot, but was promised a rest."""
    authors: Mapping[int, str]
    points: Mapping[int, Fraction]
    """By entry, with what they brought."""
    drawn: tuple[RoundPaired, ...]
    """Its rounds so far."""
    closed: int
    """How many of them are closed: all, when the next one is to be drawn."""
    results: tuple[ResultRecorded, ...]
    forbidden: frozenset[frozenset[int]]
    chance: Chance
    """The next round's luck."""
    opening: Chance
    """The luck of its first round, for what is drawn once."""
    rules: int = 0
    """The version of the league rules."""
    gone: Mapping[int, int] = field(default_factory=dict)
    """By entry that withdrew: how many rounds of the league were closed by then."""
    budget: int = 0
    """How much work pairing it may be, as `pairing.Field` counts it; 0 for as much as is usual."""


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played next."""

    tables: tuple[TablePlan, ...]
    rests: tuple[Rest, ...] = ()
    weighed: Weighed | None = None
    """Its certificate, in formats that weigh."""


class Over(msgspec.Struct, frozen=True):
    """The stage is through."""


class Wait(msgspec.Struct, frozen=True):
    """Nothing can be played as things are."""

    why: str
    """A sentence that says what would help."""


Step = Round | Over | Wait


def progress_of(league: LeagueState, begun: Begun | None = None, link: str = "", budget: int = 0) -> Progress:
    """Return a stage, or the one that is played, before its next round, which is drawn with that link."""
    begun = begun or league.stage_of(len(league.rounds) + 1)
    terms = league.stages[begun.number - 1]
    drawn = rounds_of(league, begun)
    number = begun.first + len(drawn)
    chance = chance_of(league, link, league.drafts)
    opening = chance_of(league, drawn[0].link, drawn[0].draft) if drawn else chance
    seeds = _seeded(league, begun, opening)
    entrants = [league.entrant(entry) for entry in seeds]
    here = [one for one in entrants if not one.withdrawn and one.since <= number]
    excused = frozenset(one.entry for one in here if number in one.excused)
    return Progress(
        terms=terms,
        rounds=begun.extended or terms.rounds,
        number=number,
        seeds=seeds,
        present=frozenset(one.entry for one in here) - excused,
        excused=excused,
        authors={one.entry: one.author for one in entrants},
        points={entry: tally.points for entry, tally in tallies_of(league, begun).items()},
        drawn=drawn,
        closed=min(len(drawn), max(0, league.closed_rounds - begun.first + 1)),
        results=tuple(result for result in league.results if begun.first <= result.round < number),
        forbidden=league.forbidden,
        chance=chance,
        opening=opening,
        rules=league.header.rules,
        gone={one.entry: one.gone_after for one in entrants if one.withdrawn},
        budget=budget,
    )


def _seeded(league: LeagueState, begun: Begun, opening: Chance) -> tuple[int, ...]:
    """Return the entries of a stage, the first seed first; who came late stands behind all others."""
    entries, seeding = tuple(entries_of(league, begun)), league.stages[begun.number - 1].seeding
    if seeding == "entry":
        return entries
    late = tuple(entry for entry in entries if league.entrant(entry).since > begun.first)
    order = opening.at("seeding", begun.number).shuffled(entries[: len(entries) - len(late)])
    if seeding == "rating":
        order = tuple(sorted(order, key=lambda entry: -begun.ratings.get(entry, 0)))
    return (*order, *late)


def blank(terms: Stage, entries: int) -> Progress:
    """Return a stage of so many entries before its first round, to ask its format how long it will take."""
    seeds, luck = tuple(range(1, entries + 1)), Chance(bytes(32))
    return Progress(
        terms=terms,
        rounds=terms.rounds,
        number=1,
        seeds=seeds,
        present=frozenset(seeds),
        excused=frozenset(),
        authors=dict.fromkeys(seeds, ""),
        points=dict.fromkeys(seeds, Fraction(0)),
        drawn=(),
        closed=0,
        results=(),
        forbidden=frozenset(),
        chance=luck,
        opening=luck,
    )
