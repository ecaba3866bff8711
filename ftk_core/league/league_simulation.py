"""Monte Carlo simulation of a league, to show the effects of its settings. It needs numpy."""
# It runs the code of real leagues; only the matches are simulated, by strength plus Gumbel noise (Plackett-Luce model).
# The pairing of each round may do less work than in a real league, so its pairings can be slightly worse.

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import msgspec
import numpy as np
from numpy.typing import NDArray

from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_command_handlers import enter, proceed, record
from ftk_core.league.league_facts import LEAGUE_RULES, LeagueOpened, ResultRecorded
from ftk_core.league.league_state import EMPTY_LEAGUE, LeagueState
from ftk_core.league.league_state_from_events import apply_fact, fold_facts
from ftk_core.league.match_seating_and_random_seeds import rotate_seating
from ftk_core.league.scoring.tiebreaks import default_tiebreaks
from ftk_core.league.standings import standings
from ftk_core.log_entries import TimeControl
from ftk_core.random_streams import seal_of, seed_of

DEFAULT_SPREAD = 1.0
"""Default standard deviation of the bots' strengths, in units of 174 rating points."""
Z_95_PERCENT = 1.96
PAIRING_BUDGET = 50_000
"""Limit on the work of pairing a round at tables of three and more: number of pairs of bots examined."""
POINTS_PER_STRENGTH = 400 / math.log(10)
"""Rating points per unit of strength."""
Floats = NDArray[np.float64]


class LeagueSimulationSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of the league to simulate, and assumptions about its bots and matches."""

    stages: tuple[StageSettings, ...]
    entries: int
    seconds: float
    """Duration of a match in seconds."""
    workers: int = 1
    """Number of matches played in parallel."""
    spread: float = DEFAULT_SPREAD
    unsure: float = 0
    """Standard deviation of the logarithm of `spread`, if the spread is an estimate; 0 if it is exact."""
    tied: float = 0
    """Strength plus noise is rounded to multiples of this number, so that some bots tie; 0 for no ties."""


class LeagueForecast(msgspec.Struct, frozen=True, kw_only=True):
    """Averages over all simulated leagues: rounds, matches, hours, and the chance that the best bot wins."""

    rounds: float
    matches: float
    hours: float
    """Duration of all rounds, one after the other, in hours."""
    repeats: float
    """Number of repeated meetings. A real league is paired with more work and can have fewer."""
    unavoidable: float
    """Lower bound on `repeats` with the same table sizes. Perhaps no pairing reaches this bound."""
    best: float
    """Probability that the strongest bot is first; a first place shared by n bots counts as 1/n."""
    error: float
    """Standard error of `best`, due to the limited number of runs."""
    low: float
    """Lower end of the 95% interval of `best`."""
    high: float
    """Upper end of the 95% interval of `best`."""
    runs: int
    spread: float
    """Assumed standard deviation of the strengths, in rating points."""


@dataclass(frozen=True, slots=True)
class SimulatedLeagueResult:
    """Final state of one simulated league, with the strengths that the simulation gave to the bots."""

    league: LeagueState
    strengths: Floats
    """Strength of each bot; bot 1 is at index 0."""


def forecast_league(terms: LeagueSimulationSettings, runs: int = 100, seed: int = 1) -> LeagueForecast:
    """Simulate a league repeatedly and average the results.

    Raises CommandRejected if no round can be drawn, ValueError if the number of runs is zero.
    """
    if runs < 1:
        raise ValueError(f"a league is simulated once at least, not {runs} times")
    played = [simulate_league(terms, np.random.default_rng((seed, run))) for run in range(runs)]
    efforts = np.mean([_count_effort(run.league, terms) for run in played], axis=0).tolist()
    rounds, matches, hours, repeats, unavoidable = efforts
    first = [_share_of_best(run) for run in played]
    best = sum(first) / runs
    # the rule of succession avoids an error of 0 for an event that occurred in every run
    guess = (sum(first) + 1) / (runs + 2)
    error = math.sqrt(guess * (1 - guess) / runs)
    low, high = _range_of(best, runs)
    return LeagueForecast(
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
        spread=terms.spread * POINTS_PER_STRENGTH,
    )


def _range_of(share: float, runs: int) -> tuple[float, float]:
    """Return Wilson's 95% interval of a probability, given the share (0 to 1) of runs in which the event occurred."""
    more = Z_95_PERCENT * Z_95_PERCENT / runs
    middle, wide = share + more / 2, Z_95_PERCENT * math.sqrt(share * (1 - share) / runs + more / (4 * runs))
    return max(0.0, (middle - wide) / (1 + more)), min(1.0, (middle + wide) / (1 + more))


def simulate_league(terms: LeagueSimulationSettings, draw: np.random.Generator) -> SimulatedLeagueResult:
    """Simulate one league to its end; raise CommandRejected if its format cannot draw a round."""
    league = _open_league(terms)
    spread = terms.spread * math.exp(draw.normal(0, terms.unsure)) if terms.unsure else terms.spread
    strengths = draw.normal(0, spread, terms.entries)
    while True:
        link = seed_of("simulated", int(draw.integers(1 << 62))).hex()
        step = proceed(league, link, budget=PAIRING_BUDGET)
        league = fold_facts(step.facts, league)
        if step.over:
            return SimulatedLeagueResult(league, strengths)
        league = fold_facts(record(league, *_draw_results(league, strengths, terms.tied, draw)), league)


def _open_league(terms: LeagueSimulationSettings) -> LeagueState:
    stages = tuple(
        msgspec.structs.replace(stage, tiebreaks=stage.tiebreaks or default_tiebreaks(stage.seats))
        for stage in terms.stages
    )
    first = stages[0]
    league = apply_fact(
        EMPTY_LEAGUE,
        LeagueOpened(
            slug="simulated",
            name="This league",
            game="",
            format=first.format,
            seats=first.seats,
            least=first.least,
            rounds=sum(stage.rounds for stage in stages),
            games=first.games,
            **TimeControl(0, 0).parts,
            secret_seal=seal_of(seed_of("simulated")),
            worth=first.worth,
            stages=stages,
            rules=LEAGUE_RULES,
        ),
    )
    for entry in range(terms.entries):
        league = apply_fact(league, enter(league, entry, f"bot {entry + 1}"))
    return league


def _draw_results(
    league: LeagueState, strengths: Floats, tied: float, draw: np.random.Generator
) -> list[ResultRecorded]:
    """Draw random results for all matches of the latest round."""
    paired, games = league.rounds[-1], league.terms_of(len(league.rounds)).games
    results = list[ResultRecorded]()
    for table in paired.tables:
        for game in range(games):
            seating = rotate_seating(table.seating, game)
            results.append(
                ResultRecorded(
                    round=paired.round,
                    table=table.number,
                    game=game,
                    match=f"{paired.round}-{table.number}-{game}",
                    seating=seating,
                    places=_draw_places(strengths[[entry - 1 for entry in seating]], tied, draw),
                    scores=(0,) * len(seating),
                )
            )
    return results


def _draw_places(strengths: Floats, tied: float, draw: np.random.Generator) -> tuple[int, ...]:
    luck: Sequence[float] = (strengths + draw.gumbel(size=len(strengths))).tolist()
    if tied:
        luck = [round(one / tied) for one in luck]
    return tuple(1 + sum(other > one for other in luck) for one in luck)


def _count_effort(league: LeagueState, terms: LeagueSimulationSettings) -> tuple[int, int, float, int, int]:
    """Return the numbers of rounds, matches, hours, repeated meetings, and unavoidable repeated meetings."""
    matches = [len(paired.tables) * league.terms_of(paired.round).games for paired in league.rounds]
    hours = sum(-(-one // terms.workers) for one in matches) * terms.seconds / 3600
    unavoidable = sum(paired.weighed.fewest for paired in league.rounds if paired.weighed)
    return len(matches), sum(matches), hours, _count_repeats(league), unavoidable


def _count_repeats(league: LeagueState) -> int:
    """Count the repeated meetings of two bots within a stage."""
    met, repeats = set[tuple[int, int, int]](), 0
    for paired in league.rounds:
        stage = league.stage_of(paired.round).number
        pairs = {(stage, *two) for table in paired.tables for two in combinations(sorted(table.seating), 2)}
        repeats += len(pairs & met)
        met |= pairs
    return repeats


def _share_of_best(run: SimulatedLeagueResult) -> float:
    first = [standing.entry for standing in standings(run.league) if standing.place == 1]
    return (int(run.strengths.argmax()) + 1 in first) / len(first)
