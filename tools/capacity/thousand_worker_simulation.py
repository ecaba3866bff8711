"""Simulations of a site with a thousand workers, with measured durations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tools.capacity.fleet_simulation import FleetSimulation
from tools.capacity.fleet_simulation_results import FleetSimulationResults
from tools.capacity.simulation_inputs import (
    SimulatedArenaSettings,
    SimulatedFleet,
    SimulatedLoad,
    SimulatedStepDurations,
)

WORKERS = 1000
SECONDS = 60.0
"""Length of the simulated period. The requested matches keep the workers busy for the share `BUSY` of this time."""
BUSY = 0.7
CRASHES_AN_HOUR = 6.0
"""Crashes of each worker per hour: unrealistically many, so that a simulated minute shows their effect."""
TABLES, TURNS = 32, 3
"""Matches per round, as in the league whose lock times were measured, and rounds per league."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSimulationRun:
    """One simulation of a site with a thousand workers, with a name and its outcome."""

    name: str
    houses: int
    outcome: FleetSimulationResults

    @property
    def busy(self) -> float:
        """Share of the workers' time that they spend playing until the last match of the simulation ends."""
        return self.outcome.busy / (WORKERS * self.outcome.makespan)


def quantile(figures: Sequence[float], part: float) -> float:
    """Return the quantile `part` (0 to 1) of the figures, or 0 if there are no figures."""
    return sorted(figures)[min(len(figures) - 1, int(part * len(figures)))] if figures else 0.0


def count_house_processes(times: SimulatedStepDurations, rate: float) -> int:
    """Return how many `ftk-house` processes are needed to record `rate` results per second."""
    # These processes are workers for short tasks.
    # Each process is busy for at most the share `BUSY` of the time. The rest is a reserve.
    return max(1, math.ceil(rate * (times.house + times.record) / BUSY))


def simulate_thousand_workers(times: SimulatedStepDurations, rules: SimulatedArenaSettings) -> list[FleetSimulationRun]:
    """Run all simulations of the page docs/scale.md, in its order."""
    cycle = times.mean_play + sum(times.handover) / len(times.handover)
    rate = BUSY * WORKERS / cycle
    matches, enough = int(rate * SECONDS), count_house_processes(times, rate)
    strangers = SimulatedLoad(bouts=matches, bouts_a_second=rate)
    many = max(1, matches // (TABLES * TURNS))
    leagues = SimulatedLoad(leagues=many, rounds=TURNS, matches=TABLES, spread=SECONDS)
    one = SimulatedLoad(leagues=1, rounds=TURNS, matches=TABLES * many)
    calm = SimulatedFleet(workers=WORKERS, houses=enough)
    plan = [
        ("matches requested one by one, no worker dies", calm, strangers),
        ("the same, one `ftk-house` process records all", replace(calm, houses=1), strangers),
        (f"the same, each worker dies {CRASHES_AN_HOUR:g} times an hour", _with_crashes(calm), strangers),
        (f"{many} leagues of {TABLES} matches a round", calm, leagues),
        ("the same, and workers die", _with_crashes(calm), leagues),
        (f"one league of {TABLES * many:,} matches a round", calm, one),
    ]
    return [
        FleetSimulationRun(name=name, houses=fleet.houses, outcome=FleetSimulation(fleet, load, times, rules).run())
        for name, fleet, load in plan
    ]


def _with_crashes(fleet: SimulatedFleet) -> SimulatedFleet:
    return replace(fleet, crashes_an_hour=CRASHES_AN_HOUR)
