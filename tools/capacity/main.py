"""Program behind `make capacity`, which measures costs, computes the hosts that a site needs, and writes docs/scale.md.

It exits with 1 if the simulation of a league differs too much from a real run of the same league.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bots.sandbox.inside.user_namespace import drop_root

if os.getuid() == 0:  # bots must not be started as root; before other imports, because the change needs a single thread
    drop_root()
os.environ["DJANGO_SETTINGS_MODULE"] = "deploy.settings"

from django.conf import settings

from ftk_core.log_writer import MAX_PAGE_DELAY_SECONDS
from tools.capacity import (
    page_view_performance,
    resource_usage,
    simulation_accuracy,
    spectator_server_load,
    thousand_worker_simulation,
)
from tools.capacity.arena_measurement import play_league, run_arena
from tools.capacity.capacity_page_tables import CapacityMeasurements
from tools.capacity.capacity_page_text import write_page
from tools.capacity.fleet_sizing import SizingAssumptions
from tools.capacity.simulation_inputs import SimulatedArenaSettings

PAGE = Path("docs/scale.md")
ENTRIES = 64


def print_progress(line: str) -> None:
    """Print a progress message with the time."""
    sys.stdout.write(f"{time.strftime('%H:%M:%S')} {line}\n")
    sys.stdout.flush()


def read_rules() -> SimulatedArenaSettings:
    """Return the site settings that the simulation needs, as configured for this process."""
    return SimulatedArenaSettings(
        lease=float(settings.LEASE_SECONDS),
        sweep=float(settings.SWEEP_SECONDS),
        page=MAX_PAGE_DELAY_SECONDS,
        attempts=settings.ATTEMPTS,
        away=float(settings.CELERY_WORKER_LOST_WAIT),
    )


def measure_costs(
    folder: Path, lease: int
) -> tuple[dict[str, Any], list[simulation_accuracy.PlayedMatchTimes], list[simulation_accuracy.PlayedMatchTimes]]:
    """Start a new site with two workers and measure all costs.

    Return three values: the costs by name, the matches of a league without crashes, and the matches of a larger league.
    """
    # The larger league is the last one that is measured. `extract_durations` uses the matches.
    with run_arena(folder, 2, lease) as arena:
        print_progress("two workers: what one PostgreSQL can do, and what the arena spends at rest")
        play_league(arena, resource_usage.WARM)
        floor, rest = resource_usage.measure_database_limits(arena), resource_usage.measure_idle_arena(arena)
        matches = []
        for shape, short in zip(resource_usage.GAMES, resource_usage.STATEMENT_LOG_LEAGUES, strict=True):
            print_progress(f"what a match of {shape.game} costs")
            matches.append(resource_usage.measure_match_cost(arena, shape, short, rest))
        print_progress("how long everything takes, in a league in which nobody dies")
        calm, large = (
            simulation_accuracy.play_calibration_league(arena),
            simulation_accuracy.read_played_matches(arena, matches[-1][0].league),
        )
        print_progress("what watching costs")
        watch = spectator_server_load.measure_spectators(arena, rest)
        print_progress("what reading costs")
        reader = page_view_performance.measure_page_views(arena)
    print_progress("what a match takes in the archive, what stays behind it, and for how long a league is locked")
    archived = resource_usage.measure_archived_bytes(folder, [cost.game for cost, _ in matches])
    whole = []
    for cost, window in matches:
        kept = resource_usage.measure_stored_bytes(folder, cost.game, cost.seats)
        whole.append((replace(cost, archived=archived[cost.game], kept=kept), window))
    locks = resource_usage.measure_lock_times(folder, ENTRIES)
    spent = {"matches": whole, "watch": watch, "reader": reader, "rest": rest, "floor": floor, "locks": locks}
    return spent, calm, large


def measure_all(folder: Path) -> CapacityMeasurements:
    """Start new sites in a folder and measure everything, then run the simulations that use the measurements."""
    law = read_rules()
    spent, calm, large = measure_costs(folder / "two", int(law.lease))
    with run_arena(folder / "four", simulation_accuracy.WORKERS, int(law.lease)) as arena:
        print_progress(f"a real league with {simulation_accuracy.WORKERS} workers, one of which is killed")
        play_league(arena, resource_usage.WARM)
        real, kill = simulation_accuracy.play_real_league(arena)
    print_progress("the same league, and a thousand workers, simulated")
    (cost, _), locks = spent["matches"][-1], spent["locks"]
    part = min(1.0, cost.processor / cost.seconds)
    house = max(0.0, cost.processors["house"] - locks.record)
    times = replace(simulation_accuracy.extract_durations(large, locks), processor=part, replay=1.0, house=house)
    return CapacityMeasurements(
        **spent,
        rules=law,
        thousand=thousand_worker_simulation.simulate_thousand_workers(times, law),
        real=real,
        simulated=simulation_accuracy.simulate_league(
            simulation_accuracy.extract_durations(calm, locks),
            law,
            simulation_accuracy.REAL,
            simulation_accuracy.WORKERS,
            kill,
        ),
        kill=kill,
        on=datetime.now(UTC).date().isoformat(),
        disturbed=max(window.disturbed for window in (spent["rest"], *(window for _, window in spent["matches"]))),
    )


def main() -> int:
    """Measure the costs and write the page. Return 1 if simulation and real league disagree."""
    with tempfile.TemporaryDirectory(prefix="ftk-capacity-", ignore_cleanup_errors=True) as name:
        found = measure_all(Path(name))
    PAGE.write_text(write_page(found, SizingAssumptions()))
    apart = simulation_accuracy.compare_timings(found.simulated, found.real)
    for figure, part in apart.items():
        measured, simulated = getattr(found.real, figure), getattr(found.simulated, figure)
        print_progress(f"{figure}: real {measured:.3f}, simulated {simulated:.3f}, {part:.1%} apart")
    print_progress(f"{PAGE} is written")
    return 0 if max(apart.values()) <= simulation_accuracy.AGREE and found.real.ended == found.simulated.ended else 1


if __name__ == "__main__":
    sys.exit(main())
