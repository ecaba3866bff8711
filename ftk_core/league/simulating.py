"""Monte Carlo simulation of a league before it is announced, to show the effects of its terms.

It runs the real league: formats draw the rounds, standings and tie-breaks rank the entries. Only the matches are
simulated: places are drawn by the Plackett-Luce model, that is, by strength plus Gumbel noise. Rounds are paired with
little work each, so that a real league can have fewer floaters. Needs numpy, as pairing does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import msgspec
import numpy as np
from numpy.typing import NDArray

from ftk_core.league.commands import enter, proceed, record
from ftk_core.league.deals import turned
from ftk_core.league.facts import LEAGUE_RULES, LeagueOpened, ResultRecorded
from ftk_core.league.folding import apply, fold
from ftk_core.league.plans import Stage
from ftk_core.league.standings import standings
from ftk_core.league.state import NOTHING, LeagueState
from ftk_core.league.tiebreaks import usual
from ftk_core.rng import seal_of, seed_of

SPREAD = 1.0
"""Default standard deviation of strengths, in units of 174 points, if there are no matches to estimate it from."""
SURE = 1.96
BUDGET = 50_000
"""Work budget for pairing a round, as `pairing.Field` counts it."""
POINTS = 400 / math.log(10)
"""Rating points per unit of strength."""
Floats = NDArray[np.float64]


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of a simulation."""

    stages: tuple[Stage, ...]
    entries: int
    seconds: float
    """Duration of a match in seconds."""
    workers: int = 1
    """Number of matches played in parallel."""
    spread: float = SPREAD
    unsure: float = 0
    """Standard deviation of the logarithm of the spread, if it is only estimated."""
    tied: float = 0
    """Step to which strength plus noise is rounded, so that bots tie; 0 for no ties."""


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """Average results of the simulated leagues."""

    rounds: float
    matches: float
    hours: float
    """Duration in hours from the first round to the last, one after the other."""
    repeats: float
    """Number of pairs that meet again. A real league is paired with more work, so that it can have fewer."""
    unavoidable: float
    """Lower bound on the repeats with tables of these sizes. It may be unreachable."""
    best: float
    """Probability that the strongest bot is first; a shared first place counts as its share."""
    error: float
    """Standard error of that probability, from the limited number of runs."""
    low: float
    """Lower end of its 95% interval."""
    high: float
    """Upper end of its 95% interval."""
    runs: int
    spread: float
    """Assumed standard deviation of the strengths, in rating points."""


@dataclass(frozen=True, slots=True)
class Run:
    """One simulated league."""

    league: LeagueState
    strengths: Floats
    """Strength of each entry, the first at index 0."""


def outlook(terms: Terms, runs: int = 100, seed: int = 1) -> Outlook:
    """Simulate a league repeatedly; raise NotNow if its format cannot draw a round, ValueError for no runs."""
    if runs < 1:
        raise ValueError(f"a league is simulated once at least, not {runs} times")
    played = [play(terms, np.random.default_rng((seed, run))) for run in range(runs)]
    efforts = np.mean([_effort(run.league, terms) for run in played], axis=0).tolist()
    rounds, matches, hours, repeats, unavoidable = efforts
    first = [_share_of_best(run) for run in played]
    best = sum(first) / runs
    # the rule of succession avoids an error of 0 for an event that occurred in every run
    guess = (sum(first) + 1) / (runs + 2)
    error = math.sqrt(guess * (1 - guess) / runs)
    low, high = _range_of(best, runs)
    return Outlook(
        rounds=rounds,
        matches=matches,
        hours=hours,
        repeats=repeats,
        unavoidable=unavoidable,
        best=best,
        error=error,
        low=low,
        high=high,
        runs=runs,
        spread=terms.spread * POINTS,
    )


def _range_of(share: float, runs: int) -> tuple[float, float]:
    """Return the ends of Wilson's 95% interval for a probability estimated from this many runs."""
    more = SURE * SURE / runs
    middle, wide = share + more / 2, SURE * math.sqrt(share * (1 - share) / runs + more / (4 * runs))
    return max(0.0, (middle - wide) / (1 + more)), min(1.0, (middle + wide) / (1 + more))


def play(terms: Terms, draw: np.random.Generator) -> Run:
    """Simulate a league to its end; raise NotNow if its format cannot draw a round."""
    league = _opened(terms)
    spread = terms.spread * math.exp(draw.normal(0, terms.unsure)) if terms.unsure else terms.spread
    strengths = draw.normal(0, spread, terms.entries)
    while True:
        link = seed_of("simulated", int(draw.integers(1 << 62))).hex()
        step = proceed(league, link, budget=BUDGET)
        league = fold(step.facts, league)
        if step.over:
            return Run(league, strengths)
        league = fold(record(league, *_results(league, strengths, terms.tied, draw)), league)


def _opened(terms: Terms) -> LeagueState:
    stages = tuple(
        msgspec.structs.replace(stage, tiebreaks=stage.tiebreaks or usual(stage.seats)) for stage in terms.stages
    )
    first = stages[0]
    league = apply(
        NOTHING,
        LeagueOpened(
            slug="simulated",
            name="This league",
            game="",
            format=first.format,
            seats=first.seats,
            least=first.least,
            rounds=sum(stage.rounds for stage in stages),
            games=first.games,
            move_ms=0,
            bank_ms=0,
            secret_seal=seal_of(seed_of("simulated")),
            worth=first.worth,
            stages=stages,
            rules=LEAGUE_RULES,
        ),
    )
    for entry in range(terms.entries):
        league = apply(league, enter(league, entry, f"bot {entry + 1}"))
    return league


def _results(league: LeagueState, strengths: Floats, tied: float, draw: np.random.Generator) -> list[ResultRecorded]:
    """Draw the results of the last round's matches."""
    paired, games = league.rounds[-1], league.terms_of(len(league.rounds)).games
    results = list[ResultRecorded]()
    for table in paired.tables:
        for game in range(games):
            seating = turned(table, game)
            results.append(
                ResultRecorded(
                    round=paired.round,
                    table=table.number,
                    game=game,
                    match=f"{paired.round}-{table.number}-{game}",
                    seating=seating,
                    places=_places(strengths[[entry - 1 for entry in seating]], tied, draw),
                    scores=(0,) * len(seating),
                )
            )
    return results


def _places(strengths: Floats, tied: float, draw: np.random.Generator) -> tuple[int, ...]:
    luck: Sequence[float] = (strengths + draw.gumbel(size=len(strengths))).tolist()
    if tied:
        luck = [round(one / tied) for one in luck]
    return tuple(1 + sum(other > one for other in luck) for one in luck)


def _effort(league: LeagueState, terms: Terms) -> tuple[int, int, float, int, int]:
    """Return its rounds, matches, hours, repeats and unavoidable repeats."""
    matches = [len(paired.tables) * league.terms_of(paired.round).games for paired in league.rounds]
    hours = sum(-(-one // terms.workers) for one in matches) * terms.seconds / 3600
    unavoidable = sum(paired.weighed.fewest for paired in league.rounds if paired.weighed)
    return len(matches), sum(matches), hours, _repeats(league), unavoidable


def _repeats(league: LeagueState) -> int:
    """Return how many pairs at the tables of a league had met before, in the same stage."""
    met, repeats = set[tuple[int, int, int]](), 0
    for paired in league.rounds:
        stage = league.stage_of(paired.round).number
        pairs = {(stage, *two) for table in paired.tables for two in combinations(sorted(table.seating), 2)}
        repeats += len(pairs & met)
        met |= pairs
    return repeats


def _share_of_best(run: Run) -> float:
    first = [row.entry for row in standings(run.league) if row.place == 1]
    return (int(run.strengths.argmax()) + 1 in first) / len(first)
