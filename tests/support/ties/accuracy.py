"""Accuracy of tie-breaks: how often they rank the stronger of two tied bots first, in Swiss leagues."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

import numpy as np

from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_simulation import LeagueSimulationSettings, SimulatedLeagueResult, simulate_league
from ftk_core.league.scoring.tiebreak_inputs import Exact, TiebreakInputs
from ftk_core.league.scoring.tiebreaks import list_tiebreaks

Counts = Mapping[str, tuple[float, int]]
"""(number of correctly ranked pairs, number of pairs), by the name of an order of tie-breaks.

A pair that stays tied counts as half a correct pair.
"""


@dataclass
class RankingAccuracy:
    """Counts of correctly ranked pairs of bots with equal points, for each league and order of tie-breaks."""

    fields: dict[str, list[tuple[float, int]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, counts: Counts) -> None:
        for name, (right, of) in counts.items():
            if of:
                self.fields[name].append((right, of))

    def share(self, name: str) -> float:
        return sum(right for right, _ in self.fields[name]) / sum(of for _, of in self.fields[name])

    def error(self, name: str) -> float:
        """Return the standard error of the share; leagues are the independent units, because pairs of one correlate."""
        share, pairs = self.share(name), [of for _, of in self.fields[name]]
        off = sum((right - share * of) ** 2 for right, of in self.fields[name])
        return math.sqrt(off * len(pairs) / (len(pairs) - 1)) / sum(pairs)


def simulate_tied_leagues(seats: int, count: int, seed: int) -> Iterable[SimulatedLeagueResult]:
    """Yield leagues of 13 to 32 bots and 4 to 7 rounds, in which about one match in five has shared places."""
    for number in range(count):
        draw = np.random.default_rng((seed, seats, number))
        entries, rounds = int(draw.integers(max(13, 2 * seats), 33)), int(draw.integers(4, 8))
        stage = StageSettings(format="swiss", seats=seats, least=2, rounds=rounds, tiebreaks=("lots",))
        tied = float(draw.choice([0, 0.5]))
        yield simulate_league(LeagueSimulationSettings(stages=(stage,), entries=entries, seconds=1, tied=tied), draw)


def measure_accuracy(run: SimulatedLeagueResult, orders: Mapping[str, Sequence[str]]) -> Counts:
    """Return how many pairs with equal points each order of tie-breaks ranks correctly; `orders` has slugs by name."""
    ledger = TiebreakInputs(run.league, run.league.stage_of(1), eliminates=False)
    equals = defaultdict[Fraction, list[int]](list)
    for entry, tally in ledger.tallies.items():
        equals[tally.points].append(entry)
    return {name: _measure_share(ledger, run, equals.values(), slugs) for name, slugs in orders.items()}


def _measure_share(
    ledger: TiebreakInputs, run: SimulatedLeagueResult, groups: Iterable[list[int]], slugs: Sequence[str]
) -> tuple[float, int]:
    right, of = 0.0, 0
    for group in groups:
        keys: dict[int, tuple[Exact, ...]] = dict.fromkeys(group, ())
        for slug in slugs:
            alike = defaultdict[tuple[Exact, ...], list[int]](list)
            for entry, key in keys.items():
                alike[key].append(entry)
            for equal in alike.values():
                for entry, value in list_tiebreaks()[slug].values(ledger, equal).items():
                    keys[entry] = (*keys[entry], value)
        for one, other in combinations(group, 2):
            stronger, weaker = (one, other) if run.strengths[one - 1] > run.strengths[other - 1] else (other, one)
            right += 0.5 if keys[stronger] == keys[weaker] else float(keys[stronger] > keys[weaker])
            of += 1
    return right, of
