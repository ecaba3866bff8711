"""Progress of a league stage, and the next step that its tournament format decides on, such as a new round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import msgspec

from ftk_core.league.event_fields import EntrantBye, PairingQualityCertificate, StageSettings, TableSeating
from ftk_core.league.league_facts import LEAGUE_RULES, ResultRecorded, RoundPaired
from ftk_core.league.league_state import LeagueState, StageState
from ftk_core.league.scoring.entrant_stage_totals import rounds_of, starting_points_of, tallies_of
from ftk_core.league.statistics.round_seed_hash_chain import chance_of
from ftk_core.random_streams import MatchRandomness


@dataclass(frozen=True, slots=True, kw_only=True)
class StageProgress:
    """Progress of a league stage before its next round: bots, points, past rounds, results and random seeds."""

    terms: StageSettings
    rounds: int
    """Number of rounds of the stage, as announced or changed by an organiser; 0 if its format decides."""
    number: int
    """Number of the next round, counted over the whole league."""
    seeds: tuple[int, ...]
    """Bots of the stage in the order of their seeds, the first seed first."""
    present: frozenset[int]
    """Bots that can be paired in the next round."""
    excused: frozenset[int]
    """Bots that cannot be paired but are granted a bye."""
    authors: Mapping[int, str]
    points: Mapping[int, Fraction]
    """Bot -> points, including those brought from earlier stages."""
    drawn: tuple[RoundPaired, ...]
    """Rounds of the stage so far."""
    closed: int
    """Number of closed rounds of the stage; a round in `drawn` that is still in progress is not closed."""
    results: tuple[ResultRecorded, ...]
    forbidden: frozenset[frozenset[int]]
    chance: MatchRandomness
    """Source of the random numbers of the next round."""
    opening: MatchRandomness
    """Source of the random numbers of the stage's first round, for draws that are made once per stage."""
    rules: int = 0
    """Version of the league rules."""
    gone: Mapping[int, int] = field(default_factory=dict)
    """Withdrawn bot -> number of rounds of the league that were closed when it withdrew."""
    budget: int = 0
    """Limit on the work of pairing at tables of three and more, in pairs of bots examined; 0 for the default."""


class NextRoundDecision(msgspec.Struct, frozen=True, kw_only=True):
    """Decision of a league format: the next round to play."""

    tables: tuple[TableSeating, ...]
    rests: tuple[EntrantBye, ...] = ()
    weighed: PairingQualityCertificate | None = None
    """Pairing certificate, in formats whose rounds have one."""


class StageFinishedDecision(msgspec.Struct, frozen=True):
    """Decision of a league format: the stage is finished."""


class CannotPairDecision(msgspec.Struct, frozen=True):
    """Decision of a league format: no round can be drawn at present."""

    why: str
    """Reason why no round can be drawn, with a remedy if one is known."""


NextStep = NextRoundDecision | StageFinishedDecision | CannotPairDecision


def progress_of(league: LeagueState, begun: StageState | None = None, link: str = "", budget: int = 0) -> StageProgress:
    """Return the progress of a stage, by default the current one, before its next round.

    `link` is the random seed of the next round.
    """
    begun = begun or league.stage_of(len(league.rounds) + 1)
    terms = league.stages[begun.number - 1]
    drawn = rounds_of(league, begun)
    number = begun.first + len(drawn)
    chance = chance_of(league, link, league.drafts)
    opening = chance_of(league, drawn[0].link, drawn[0].draft) if drawn else chance
    seeds = _order_seeds(league, begun, opening)
    entrants = [league.entrant(entry) for entry in seeds]
    active = [one for one in entrants if not one.withdrawn and one.since <= number]
    excused = frozenset(one.entry for one in active if number in one.excused)
    return StageProgress(
        terms=terms,
        rounds=league.announced_rounds(begun),
        number=number,
        seeds=seeds,
        present=frozenset(one.entry for one in active) - excused,
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


def _order_seeds(league: LeagueState, begun: StageState, opening: MatchRandomness) -> tuple[int, ...]:
    """Return the bots of a stage by seed; those that entered late come last."""
    # Seeding by entry keeps the order of entry.
    entries, seeding = tuple(starting_points_of(league, begun)), league.stages[begun.number - 1].seeding
    if seeding == "entry":
        return entries
    late = tuple(entry for entry in entries if league.entrant(entry).since > begun.first)
    order = opening.at("seeding", begun.number).shuffled(entries[: len(entries) - len(late)])
    if seeding == "rating":
        order = tuple(sorted(order, key=lambda entry: -begun.ratings.get(entry, 0)))
    return (*order, *late)


def empty_progress(terms: StageSettings, entries: int, rules: int = LEAGUE_RULES) -> StageProgress:
    """Return the progress of a future stage before its first round, as if the bots 1 to `entries` took part.

    `rules` is the version of the league rules.
    """
    # The formats compute from it how many rounds a future stage will have.
    seeds, luck = tuple(range(1, entries + 1)), MatchRandomness(bytes(32))
    return StageProgress(
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
        rules=rules,
    )
