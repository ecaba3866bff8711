"""A thousand workers, reckoned: what becomes of queue, leases and locks, with times that were measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.support.capacity.outcome import Outcome
from tests.support.capacity.scenario import Fleet, Load, Rules, Times
from tests.support.capacity.simulation import Simulation

WORKERS = 1000
SECONDS = 60.0
"""Of play, in which so much is asked for as keeps the workers `BUSY`."""
BUSY = 0.7
CRASHES_AN_HOUR = 6.0
"""Of each worker: far more than anybody should bear, so that a minute shows them."""
TABLES, TURNS = 32, 3
"""Matches of a round, as in the league whose locks were measured, and rounds of each league."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reckoned:
    """One fleet and what became of it."""

    name: str
    houses: int
    outcome: Outcome

    @property
    def busy(self) -> float:
        """The part of their time that workers played until the last match was closed."""
        return self.outcome.busy / (WORKERS * self.outcome.makespan)


def percentile(figures: Sequence[float], part: float) -> float:
    """Return what so many of the figures do not exceed; 0 of none."""
    return sorted(figures)[min(len(figures) - 1, int(part * len(figures)))] if figures else 0.0


def houses_for(times: Times, rate: float) -> int:
    """Return how many houses record so many matches a second with room."""
    return max(1, math.ceil(rate * (times.house + times.record) / BUSY))


def thousand(times: Times, rules: Rules) -> list[Reckoned]:
    """Return the courses that the page shows."""
    cycle = times.mean_play + sum(times.handover) / len(times.handover)
    rate = BUSY * WORKERS / cycle
    matches, enough = int(rate * SECONDS), houses_for(times, rate)
    strangers = Load(bouts=matches, bouts_a_second=rate)
    many = max(1, matches // (TABLES * TURNS))
    leagues = Load(leagues=many, rounds=TURNS, matches=TABLES, spread=SECONDS)
    one = Load(leagues=1, rounds=TURNS, matches=TABLES * many)
    calm = Fleet(workers=WORKERS, houses=enough)
    plan = [
        ("matches that people ask for one by one, nobody dies", calm, strangers),
        ("the same, one house records all", replace(calm, houses=1), strangers),
        (f"the same, each worker dies {CRASHES_AN_HOUR:g} times an hour", _mortal(calm), strangers),
        (f"{many} leagues of {TABLES} matches a round", calm, leagues),
        ("the same, and workers die", _mortal(calm), leagues),
        (f"one league of {TABLES * many:,} matches a round", calm, one),
    ]
    return [
        Reckoned(name=name, houses=fleet.houses, outcome=Simulation(fleet, load, times, rules).run())
        for name, fleet, load in plan
    ]


def _mortal(fleet: Fleet) -> Fleet:
    return replace(fleet, crashes_an_hour=CRASHES_AN_HOUR)
