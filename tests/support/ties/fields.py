"""How often a tie-break puts the stronger of two first, in Swiss leagues of bots whose strength is known."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

import numpy as np

from ftk_core.league.ledger import Exact, Ledger
from ftk_core.league.plans import Stage
from ftk_core.league.simulating import Run, Terms, play
from ftk_core.league.tiebreaks import TIEBREAKS

Counts = Mapping[str, tuple[float, int]]
"""By name: pairs put rightly, one that is left equal counting half, of so many."""


@dataclass
class Measured:
    """What became of pairs with equal points, field by field."""

    fields: dict[str, list[tuple[float, int]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, counts: Counts) -> None:
        for name, (right, of) in counts.items():
            if of:
                self.fields[name].append((right, of))

    def share(self, name: str) -> float:
        return sum(right for right, _ in self.fields[name]) / sum(of for _, of in self.fields[name])

    def error(self, name: str) -> float:
        """Return the standard error of the share, fields being what is drawn: the pairs of one hang together."""
        share, pairs = self.share(name), [of for _, of in self.fields[name]]
        off = sum((right - share * of) ** 2 for right, of in self.fields[name])
        return math.sqrt(off * len(pairs) / (len(pairs) - 1)) / sum(pairs)


def fields(seats: int, count: int, seed: int) -> Iterable[Run]:
    """Yield leagues of 13 to 32 bots and 4 to 7 rounds, in which a match in five or so is shared by somebody."""
    for number in range(count):
        draw = np.random.default_rng((seed, seats, number))
        entries, rounds = int(draw.integers(max(13, 2 * seats), 33)), int(draw.integers(4, 8))
        stage = Stage(format="swiss", seats=seats, least=2, rounds=rounds, tiebreaks=("lots",))
        tied = float(draw.choice([0, 0.5]))
        yield play(Terms(stages=(stage,), entries=entries, seconds=1, tied=tied), draw)


def counted(run: Run, orders: Mapping[str, Sequence[str]]) -> Counts:
    """Return for each order of tie-breaks how many of the pairs with equal points it puts rightly."""
    ledger = Ledger(run.league, run.league.stage_of(1))
    equals = defaultdict[Fraction, list[int]](list)
    for entry, tally in ledger.tallies.items():
        equals[tally.points].append(entry)
    return {name: _counted(ledger, run, equals.values(), slugs) for name, slugs in orders.items()}


def _counted(ledger: Ledger, run: Run, groups: Iterable[list[int]], slugs: Sequence[str]) -> tuple[float, int]:
    right, of = 0.0, 0
    for group in groups:
        keys: dict[int, tuple[Exact, ...]] = dict.fromkeys(group, ())
        for slug in slugs:
            alike = defaultdict[tuple[Exact, ...], list[int]](list)
            for entry, key in keys.items():
                alike[key].append(entry)
            for equal in alike.values():
                for entry, value in TIEBREAKS[slug].values(ledger, equal).items():
                    keys[entry] = (*keys[entry], value)
        for one, other in combinations(group, 2):
            stronger, weaker = (one, other) if run.strengths[one - 1] > run.strengths[other - 1] else (other, one)
            right += 0.5 if keys[stronger] == keys[weaker] else float(keys[stronger] > keys[weaker])
            of += 1
    return right, of
