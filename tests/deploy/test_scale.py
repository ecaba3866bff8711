"""What is written of fleets is made from what was measured, and from nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.capacity.arena import Window
from tests.support.capacity.costs import Floor, Locks, MatchCost
from tests.support.capacity.markdown import BEGIN, END
from tests.support.capacity.page import Measured
from tests.support.capacity.reading import ReadCost
from tests.support.capacity.scenario import Fleet, Load, Rules, Times
from tests.support.capacity.simulation import Simulation
from tests.support.capacity.sizing import Assumed, limits, live, sizes, thinking
from tests.support.capacity.spent import Seen, shared
from tests.support.capacity.thousand import Reckoned
from tests.support.capacity.trial import Course, Played, times_of
from tests.support.capacity.watching import WatchCost, reckoned
from tests.support.capacity.written import TEMPLATE, written

RULES = Rules(lease=15.0, sweep=2.0, page=0.05, attempts=5, away=1.0)
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
REST = Window(seconds=10.0, processors={"database": 0.5}, counts={"commits": 10.0}, others=0.0)
WATCH = WatchCost(
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
READER = ReadCost(readers=50, pages=4_000.0, processor=0.00025, slowest=0.02, size=10_000.0)
ASSUMED = Assumed(peak=2.0, used=0.5, kept_days=10.0)


def test_a_fleet_is_what_was_measured_times_what_there_is() -> None:
    fleet = sizes(COST, 8_640_000, ASSUMED)  # a hundred a second, two hundred at the peak
    assert (fleet.a_second, fleet.workers, fleet.houses, fleet.database) == (200.0, 75, 13, 25)
    assert (fleet.statements, fleet.commits, fleet.bells) == (12_000.0, 8_000.0, 1_000.0)
    assert (fleet.stored, fleet.objects) == (8_640_000 * 10 * 16_000.0, 8_640_000 * 365 * 500.0)
    assert fleet.kept == 8_640_000 * 365 * 1_000.0


def test_bots_that_think_take_as_much_more_time_and_processor_as_their_choices_do() -> None:
    slow = thinking(COST, ASSUMED)
    assert slow.seconds == pytest.approx(0.2 + 50 * 0.1)
    assert slow.processor == pytest.approx(COST.processor + 50 * 0.1)
    assert slow.processors["database"] == COST.processors["database"]


def test_matches_that_are_played_at_the_same_time_take_as_much_as_one_times_how_many_they_are() -> None:
    plan = live(WATCH, 10_000, ASSUMED)
    assert (plan.workers, plan.database) == (2_500, 1_250)
    assert plan.commits == 80_000.0


def test_what_breaks_first_is_told_first() -> None:
    found = limits(COST, Floor(reads=50_000.0, appends=4_000.0), 2, ASSUMED)
    at = [limit.a_day for limit in found]
    assert at == sorted(at)
    assert found[0].name.startswith("this machine")
    house = next(limit for limit in found if "one house" in limit.name)
    assert house.a_day == pytest.approx(32 * 0.5 / 2 * 86_400)


def test_what_a_watcher_costs_is_the_slope_between_two_crowds_and_the_rest_is_the_entrys() -> None:
    # ten entries in ten seconds, of 100 bytes each: 1 ms for each entry and 10 us for each watcher of it
    few, many = (
        Window(
            seconds=10.0,
            processors={"web": 10 * (0.001 + size * 1e-5), "bots": 2.0, "worker": 0.5, "database": 1.0},
            counts={"commits": 60.0},
            others=0.0,
        )
        for size in (50, 500)
    )
    cost = reckoned([(50, few, 50_000, 500), (500, many, 500_000, 5000)], 20_000.0, REST)
    assert (cost.entries, cost.wire, cost.rate) == (1.0, 100.0, 100.0)
    assert cost.watcher == pytest.approx(1e-5)
    assert cost.entry == pytest.approx(0.001)
    assert (cost.playing, cost.database, cost.commits) == pytest.approx((0.25, 0.05, 5.0))


def test_times_are_taken_from_a_league_in_which_nobody_died() -> None:
    def one(round_: int, worker: str, *moments: float) -> Played:
        made, opened, closed = moments
        return Played(round=round_, worker=worker, made=made, opened=opened, closed=closed, attempts=1, status="closed")

    calm = [
        one(1, "a", 0.0, 0.5, 2.0),
        one(1, "b", 0.0, 0.25, 3.0),
        one(1, "a", 0.0, 2.125, 4.0),
        one(2, "a", 5.0, 5.5, 6.0),
    ]
    times = times_of(calm, Locks(entries=4, record=0.125, more=0.0, turn=0.25))
    assert times.play == (1.5, 2.75, 1.875, 0.5)
    assert times.handover == (0.125,)
    assert times.begin == (0.25, 0.5, 0.5)
    assert times.pause == (0.625,)


def test_all_processor_time_of_a_tree_is_somebodys_and_no_strangers() -> None:
    ours = {
        10: Seen(1, b"python\0manage.py\0up\0", 1.0, 0.0),
        11: Seen(10, b"python\0-m\0celery\0-n\0matches@%h\0", 2.0, 0.0),
        12: Seen(11, b"python\0-m\0celery\0-n\0matches@%h\0", 3.0, 4.0),
        13: Seen(12, b"bwrap\0", 5.0, 6.0),
        14: Seen(10, b"/bin/postgres\0-D\0", 7.0, 8.0),
        15: Seen(14, b"postgres: ftk\0", 9.0, 0.0),
        16: Seen(1, b"/bin/postgres\0-D\0elsewhere\0", 99.0, 99.0),
    }
    assert shared(ours, 10) == {"up": 1.0, "worker": 5.0, "bots": 15.0, "database": 24.0}


def test_the_page_in_docs_was_made_from_the_template_as_it_stands() -> None:
    page = Path("docs/scale.md").read_text()
    kept = [line for line in TEMPLATE.read_text().splitlines() if "$" not in line]
    assert [line for line in kept if line not in page.splitlines()] == []
    assert page.count(BEGIN) == page.count(END) > 0


def test_the_page_shows_what_was_measured() -> None:
    outcome = Simulation(Fleet(workers=2, kills=(0.5,)), Load(bouts=4), Times(play=(1.0,)), RULES).run()
    course_ = Course(makespan=80.0, throughput=0.5, wait=10.0, ended=40)
    found = Measured(
        matches=[(COST, REST)],
        watch=WATCH,
        reader=READER,
        rest=REST,
        floor=Floor(reads=50_000.0, appends=4_000.0),
        locks=Locks(entries=64, record=0.01, more=0.005, turn=0.4),
        rules=RULES,
        thousand=[Reckoned(name="four matches", houses=1, outcome=outcome)],
        real=course_,
        reckoned=replace(course_, makespan=88.0),
        kill=8.0,
        on="2026-01-01",
        disturbed=0.5,
    )
    page = written(found, ASSUMED)
    assert "$" not in page
    for line in (
        "| processor: bots and their cages | 125 ms |",
        "| memory | 400 MB | 4 GB | 40 GB |",
        "| what stays in tables and indexes then | 1 kB |",
        "| database, growth a year behind the archive | 3.65 GB | 365 GB | 36.5 TB |",
        "| commits a second | 800 | 8,000 | 80,000 |",
        "| web processes | 1 | 5 | 500 |",
        "| seconds from opening to closing | 5.2 | 5.2 | 5.2 |",
        "| seconds from first to last | 80.0 | 88.0 | 10.0% |",
    ):
        assert line in page
    assert "| four matches | 4 | 1 |" in page
