"""The capacity page: its numbers for fleets are computed from the measurements alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tools.capacity.arena_measurement import ArenaMeasurement
from tools.capacity.capacity_page_tables import CapacityMeasurements
from tools.capacity.capacity_page_text import TEMPLATE, write_page
from tools.capacity.fleet_simulation import FleetSimulation
from tools.capacity.fleet_sizing import (
    SizingAssumptions,
    add_thinking_time,
    find_limits,
    size_concurrent_matches,
    size_fleet,
)
from tools.capacity.markdown_tables import BEGIN, END
from tools.capacity.page_view_performance import PageViewPerformance
from tools.capacity.process_cpu_time import ProcessSnapshot, divide_by_role
from tools.capacity.resource_usage import DatabaseThroughput, LeagueLockTimes, MatchCost
from tools.capacity.simulation_accuracy import LeagueTiming, PlayedMatchTimes, extract_durations
from tools.capacity.simulation_inputs import (
    SimulatedArenaSettings,
    SimulatedFleet,
    SimulatedLoad,
    SimulatedStepDurations,
)
from tools.capacity.spectator_server_load import SpectatorCost, compute_spectator_cost
from tools.capacity.thousand_worker_simulation import FleetSimulationRun

RULES = SimulatedArenaSettings(lease=15.0, sweep=2.0, page=0.05, attempts=5, away=1.0)
COST = MatchCost(
    league="kings",
    game="pig",
    seats=2,
    matches=10,
    entries=100.0,
    pages=2.0,
    seconds=0.2,
    processors={"bots": 0.125, "worker": 0.0625, "house": 0.03125, "database": 0.0625},
    statements=60.0,
    commits=40.0,
    bells=2.0,
    pokes=3.0,
    wal=20_000.0,
    stored=16_000.0,
    body=15_000.0,
    choices=50.0,
    archived=500.0,
    kept=1_000.0,
)
REST = ArenaMeasurement(seconds=10.0, processors={"database": 0.5}, counts={"commits": 10.0}, others=0.0)
WATCH = SpectatorCost(
    entries=5.0,
    watcher=2e-5,
    entry=2e-3,
    crowd=500,
    wire=700.0,
    rate=3500.0,
    memory=40_000.0,
    playing=0.125,
    database=0.0625,
    commits=8.0,
)
READER = PageViewPerformance(readers=50, pages=4_000.0, processor=0.00025, slowest=0.02, size=10_000.0)
ASSUMED = SizingAssumptions(peak=2.0, used=0.5, kept_days=10.0)


def test_the_required_number_of_workers_and_hosts_is_computed_from_load_and_cost_per_match() -> None:
    fleet = size_fleet(COST, 8_640_000, ASSUMED)  # a hundred a second, two hundred at the peak
    assert (fleet.a_second, fleet.workers, fleet.houses, fleet.database) == (200.0, 75, 13, 25)
    assert (fleet.statements, fleet.commits, fleet.bells) == (12_000.0, 8_000.0, 1_000.0)
    assert (fleet.stored, fleet.objects) == (8_640_000 * 10 * 16_000.0, 8_640_000 * 365 * 500.0)
    assert fleet.kept == 8_640_000 * 365 * 1_000.0


def test_slower_bots_add_their_thinking_time_to_the_duration_and_processor_time_of_a_match() -> None:
    slow = add_thinking_time(COST, ASSUMED)
    assert slow.seconds == pytest.approx(0.2 + 50 * 0.1)
    assert slow.processor == pytest.approx(COST.processor + 50 * 0.1)
    assert slow.processors["database"] == COST.processors["database"]


def test_the_cost_of_concurrent_matches_is_proportional_to_their_number() -> None:
    plan = size_concurrent_matches(WATCH, 10_000, ASSUMED)
    assert (plan.workers, plan.database) == (2_500, 1_250)
    assert plan.commits == 80_000.0


def test_capacity_limits_are_listed_with_the_lowest_first() -> None:
    found = find_limits(COST, DatabaseThroughput(reads=50_000.0, appends=4_000.0), 2, ASSUMED)
    at = [limit.a_day for limit in found]
    assert at == sorted(at)
    assert found[0].name.startswith("this machine")
    house = next(limit for limit in found if "one `ftk-house`" in limit.name)
    assert house.a_day == pytest.approx(32 * 0.5 / 2 * 86_400)


def test_the_cost_per_subscriber_is_computed_from_the_difference_between_two_audience_sizes() -> None:
    # ten entries of 100 bytes in ten seconds: 1 ms for each entry, and 10 us for each entry and watcher
    few, many = (
        ArenaMeasurement(
            seconds=10.0,
            processors={"web": 10 * (0.001 + size * 1e-5), "bots": 2.0, "worker": 0.5, "database": 1.0},
            counts={"commits": 60.0},
            others=0.0,
        )
        for size in (50, 500)
    )
    cost = compute_spectator_cost([(50, few, 50_000, 500), (500, many, 500_000, 5000)], 20_000.0, REST)
    assert (cost.entries, cost.wire, cost.rate) == (1.0, 100.0, 100.0)
    assert cost.watcher == pytest.approx(1e-5)
    assert cost.entry == pytest.approx(0.001)
    assert (cost.playing, cost.database, cost.commits) == pytest.approx((0.25, 0.05, 5.0))


def test_the_durations_of_each_stage_of_a_match_are_computed_from_its_timestamps() -> None:
    def one(round_: int, worker: str, *moments: float) -> PlayedMatchTimes:
        made, opened, closed = moments
        return PlayedMatchTimes(
            round=round_, worker=worker, made=made, opened=opened, closed=closed, attempts=1, status="closed"
        )

    calm = [
        one(1, "a", 0.0, 0.5, 2.0),
        one(1, "b", 0.0, 0.25, 3.0),
        one(1, "a", 0.0, 2.125, 4.0),
        one(2, "a", 5.0, 5.5, 6.0),
    ]
    times = extract_durations(calm, LeagueLockTimes(entries=4, record=0.125, more=0.0, turn=0.25))
    assert times.play == (1.5, 2.75, 1.875, 0.5)
    assert times.handover == (0.125,)
    assert times.begin == (0.25, 0.5, 0.5)
    assert times.pause == (0.625,)


def test_the_processor_time_of_a_server_and_its_child_processes_is_summed_by_kind_of_process() -> None:
    ours = {
        10: ProcessSnapshot(1, b"python\0manage.py\0up\0", 1.0, 0.0),
        11: ProcessSnapshot(10, b"python\0-m\0celery\0-n\0matches@%h\0", 2.0, 0.0),
        12: ProcessSnapshot(11, b"python\0-m\0celery\0-n\0matches@%h\0", 3.0, 4.0),
        13: ProcessSnapshot(12, b"bwrap\0", 5.0, 6.0),
        14: ProcessSnapshot(10, b"/bin/postgres\0-D\0", 7.0, 8.0),
        15: ProcessSnapshot(14, b"postgres: ftk\0", 9.0, 0.0),
        16: ProcessSnapshot(1, b"/bin/postgres\0-D\0elsewhere\0", 99.0, 99.0),
    }
    assert divide_by_role(ours, 10) == {"up": 1.0, "worker": 5.0, "bots": 15.0, "database": 24.0}


def test_the_capacity_page_is_up_to_date_with_its_template() -> None:
    page = Path("docs/scale.md").read_text()
    kept = [line for line in TEMPLATE.read_text().splitlines() if "$" not in line]
    assert [line for line in kept if line not in page.splitlines()] == []
    assert page.count(BEGIN) == page.count(END) > 0


def test_the_capacity_page_shows_the_measured_figures() -> None:
    outcome = FleetSimulation(
        SimulatedFleet(workers=2, kills=(0.5,)), SimulatedLoad(bouts=4), SimulatedStepDurations(play=(1.0,)), RULES
    ).run()
    timing = LeagueTiming(makespan=80.0, throughput=0.5, wait=10.0, ended=40)
    found = CapacityMeasurements(
        matches=[(COST, REST)],
        watch=WATCH,
        reader=READER,
        rest=REST,
        floor=DatabaseThroughput(reads=50_000.0, appends=4_000.0),
        locks=LeagueLockTimes(entries=64, record=0.01, more=0.005, turn=0.4),
        rules=RULES,
        thousand=[FleetSimulationRun(name="four matches", houses=1, outcome=outcome)],
        real=timing,
        simulated=replace(timing, makespan=88.0),
        kill=8.0,
        on="2026-01-01",
        disturbed=0.5,
    )
    page = write_page(found, ASSUMED)
    assert "$" not in page
    for line in (
        "| processor: bots and their sandboxes | 125 ms |",
        "| memory | 400 MB | 4 GB | 40 GB |",
        "| left in tables and indexes after archiving | 1 kB |",
        "| database, growth a year after archiving | 3.65 GB | 365 GB | 36.5 TB |",
        "| commits a second | 800 | 8,000 | 80,000 |",
        "| web processes | 1 | 5 | 500 |",
        "| seconds from opening to closing | 5.2 | 5.2 | 5.2 |",
        "| seconds from first to last | 80.0 | 88.0 | 10.0% |",
    ):
        assert line in page
    assert "| four matches | 4 | 1 |" in page
