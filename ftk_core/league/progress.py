"""Progress of a stage: the input from which a format decides the next step."""

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
    """Stage between two rounds."""

    terms: Stage
    rounds: int
    """Number of rounds, as announced or changed by an organiser; 0 if its format decides."""
    number: int
    """Number of the next round, counted over the league."""
    seeds: tuple[int, ...]
    """Entries of the stage, the first seed first."""
    present: frozenset[int]
    """Entries that can be paired."""
    excused: frozenset[int]
    """Entries that cannot be paired but are granted a rest."""
    authors: Mapping[int, str]
    points: Mapping[int, Fraction]
    """Points by entry, including those brought along."""
    drawn: tuple[RoundPaired, ...]
    """Rounds of the stage so far."""
    closed: int
    """Number of closed rounds: all, when the next one is drawn."""
    results: tuple[ResultRecorded, ...]
    forbidden: frozenset[frozenset[int]]
    chance: Chance
    """Luck of the next round."""
    opening: Chance
    """Luck of the stage's first round, for draws made once."""
    rules: int = 0
    """Version of the league rules."""
    gone: Mapping[int, int] = field(default_factory=dict)
    """By withdrawn entry: number of closed rounds of the league at that time."""
    budget: int = 0
    """Limit on the work of pairing, as `pairing.Field` counts it; 0 for the default."""


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """Next round to play."""

    tables: tuple[TablePlan, ...]
    rests: tuple[Rest, ...] = ()
    weighed: Weighed | None = None
    """Pairing certificate, in formats that have one."""


class Over(msgspec.Struct, frozen=True):
    """The stage is finished."""


class Wait(msgspec.Struct, frozen=True):
    """Nothing can be played at present."""

    why: str
    """Sentence that says what would help."""


Step = Round | Over | Wait


def progress_of(league: LeagueState, begun: Begun | None = None, link: str = "", budget: int = 0) -> Progress:
    """Return the progress of a stage (default: the current one) before its next round, drawn with this link."""
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
    """Return the entries of a stage, the first seed first; late entries come last."""
    entries, seeding = tuple(entries_of(league, begun)), league.stages[begun.number - 1].seeding
    if seeding == "entry":
        return entries
    late = tuple(entry for entry in entries if league.entrant(entry).since > begun.first)
    order = opening.at("seeding", begun.number).shuffled(entries[: len(entries) - len(late)])
    if seeding == "rating":
        order = tuple(sorted(order, key=lambda entry: -begun.ratings.get(entry, 0)))
    return (*order, *late)


def blank(terms: Stage, entries: int) -> Progress:
    """Return a stage of this size before its first round, to ask its format for the number of rounds."""
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
