"""Accuracy of a simulated fleet against a real one: a short form of the check in `make capacity`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from django.conf import settings

from ftk_core.log_writer import MAX_PAGE_DELAY_SECONDS
from tools.bench.workload_speed_comparison import BenchmarkResult
from tools.capacity import simulation_accuracy
from tools.capacity.arena_measurement import play_league, run_arena
from tools.capacity.resource_usage import WARM, LeagueLockTimes
from tools.capacity.simulation_inputs import SimulatedArenaSettings

SMALL = replace(simulation_accuracy.REAL, bots=16, rounds=2)
UNMEASURED = LeagueLockTimes(entries=SMALL.bots, record=0.0, more=0.0, turn=0.0)
"""Lock times of zero, because the pause between two rounds already includes the time of the league's lock."""


def test_the_simulation_predicts_how_long_a_league_with_a_killed_worker_takes(
    figures: list[BenchmarkResult], tmp_path: Path
) -> None:
    lease = int(settings.LEASE_SECONDS)
    with run_arena(tmp_path / "two", 2, lease) as arena:
        play_league(arena, WARM)
        play_league(arena, calm := replace(SMALL, slug="calm"))
        times = simulation_accuracy.extract_durations(
            simulation_accuracy.read_played_matches(arena, calm.slug), UNMEASURED
        )
    with run_arena(tmp_path / "four", simulation_accuracy.WORKERS, lease) as arena:
        play_league(arena, WARM)
        real, kill = simulation_accuracy.play_real_league(arena, SMALL)
    rules = SimulatedArenaSettings(
        lease=lease,
        sweep=settings.SWEEP_SECONDS,
        page=MAX_PAGE_DELAY_SECONDS,
        attempts=settings.ATTEMPTS,
        away=settings.CELERY_WORKER_LOST_WAIT,
    )
    ours = simulation_accuracy.simulate_league(times, rules, SMALL, simulation_accuracy.WORKERS, kill)
    for name in simulation_accuracy.compare_timings(ours, real):
        mine, its = getattr(ours, name), getattr(real, name)
        figures.append(
            BenchmarkResult(f"{name}, a league simulated", mine, its, mine / its, "the same league, real", "0.8 to 1.2")
        )
    assert real.ended == ours.ended
