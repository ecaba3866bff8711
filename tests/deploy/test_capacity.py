"""The fleet that is reckoned keeps the laws of queues and of the arena; what is written of it is made from figures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from tests.support.capacity.arena import Window
from tests.support.capacity.costs import Floor, Locks, MatchCost
from tests.support.capacity.outcome import Outcome
from tests.support.capacity.page import BEGIN, END, Measured
from tests.support.capacity.scenario import Fleet, Load, Rules, Times, erlang_c, mean_wait
from tests.support.capacity.simulation import Simulation
from tests.support.capacity.sizing import Assumed, limits, sizes
from tests.support.capacity.spent import Seen, shared
from tests.support.capacity.thousand import Reckoned
from tests.support.capacity.trial import Course, Played, times_of
from tests.support.capacity.watching import WatchCost, reckoned
from tests.support.capacity.written import TEMPLATE, written

RULES = Rules(lease=15.0, sweep=2.0, page=0.05, attempts=5, away=1.0)
TIMES = Times(
    play=(1.0, 2.0, 5.0),
    handover=(0.1,),
    begin=(0.3, 0.4),
    record=0.02,
    more=0.001,
    turn=0.2,
    pause=(1.0,),
    replay=0.25,
)
SEEDS = st.integers(0, 10_000)
FLEETS = st.builds(
    Fleet,
    workers=st.integers(1, 12),
    houses=st.integers(1, 3),
    crashes_an_hour=st.sampled_from([0.0, 60.0, 600.0]),
    kills=st.lists(st.floats(0, 20), max_size=3).map(tuple),
)
LOADS = st.builds(
    Load,
    leagues=st.integers(0, 3),
    rounds=st.integers(1, 3),
    matches=st.integers(1, 8),
    spread=st.floats(0, 10),
    bouts=st.integers(0, 20),
    bouts_a_second=st.floats(0.5, 5),
)


def course(fleet: Fleet, load: Load, times: Times = TIMES, rules: Rules = RULES, seed: int = 0) -> Outcome:
    return Simulation(fleet, load, times, rules, seed).run()


@given(fleet=FLEETS, load=LOADS, seed=SEEDS)
def test_every_match_ends_exactly_once_whoever_dies(fleet: Fleet, load: Load, seed: int) -> None:
    outcome = course(fleet, load, seed=seed)
    assert sorted([*outcome.closed, *outcome.void]) == list(range(1, load.total + 1))


@given(fleet=FLEETS, load=LOADS, seed=SEEDS)
def test_each_result_is_recorded_once_and_each_match_opened_as_often_as_its_workers_died_and_once_more(
    fleet: Fleet, load: Load, seed: int
) -> None:
    outcome = course(fleet, load, seed=seed)
    assert len(outcome.houses) == load.total
    assert load.leagues * load.rounds <= len(outcome.locks) <= load.leagues * load.rounds * load.matches
    assert len(outcome.waits) == load.total
    assert len(outcome.waits_again) == outcome.crashes == len(outcome.leases)


@given(fleet=FLEETS, load=LOADS, seed=SEEDS)
def test_as_many_wait_on_the_average_as_come_in_a_second_times_their_wait(fleet: Fleet, load: Load, seed: int) -> None:
    outcome = course(fleet, load, seed=seed)  # Little's law
    assert outcome.queue.now == 0
    assert outcome.queue.area == pytest.approx(sum(outcome.waits) + sum(outcome.waits_again))


@given(fleet=FLEETS, load=LOADS, seed=SEEDS)
def test_the_same_seed_gives_the_same_course(fleet: Fleet, load: Load, seed: int) -> None:
    assert course(fleet, load, seed=seed) == course(fleet, load, seed=seed)


def test_a_match_is_given_up_when_it_has_killed_as_many_workers_as_the_settings_allow() -> None:
    often = Fleet(workers=1, crashes_an_hour=3600.0)
    outcome = course(often, Load(leagues=1, matches=3), Times(play=(60.0,), replay=1.0))
    assert len(outcome.void) == 3
    assert outcome.crashes == 3 * RULES.attempts


@pytest.mark.parametrize(("matches", "kill", "over"), [(1, 3.0, 16.0), (1, 7.0, 20.0), (9, 3.0, 15.0), (9, 7.0, 20.0)])
def test_a_dead_workers_match_waits_for_its_lease_and_for_a_sweep_where_all_are_idle(
    matches: int, kill: float, over: float
) -> None:
    # signs of life come every five seconds; while much waits, somebody looks before a sweep rings
    outcome = course(Fleet(workers=2, kills=(kill,)), Load(leagues=1, matches=matches), Times(play=(10.0,)))
    assert kill + outcome.leases[0] == over
    assert sorted(outcome.closed) == list(range(1, matches + 1))


def test_what_a_crash_costs_is_the_last_page_at_the_most_and_the_way_back() -> None:
    times = Times(play=(10.0,), replay=0.5, processor=0.5)
    outcome = course(Fleet(workers=2, kills=(7.0,)), Load(leagues=1), times)
    assert 0.5 * 0.5 * (7 - RULES.page) <= outcome.lost <= 0.5 * (RULES.page + 0.5 * 7)


def test_results_of_one_league_wait_for_each_other_and_those_of_two_for_none() -> None:
    times = Times(play=(1.0,), record=0.25)
    one = course(Fleet(workers=4, houses=4), Load(leagues=1, matches=4), times)
    four = course(Fleet(workers=4, houses=4), Load(leagues=4, matches=1), times)
    assert one.locks == [0, 0.25, 0.25, 0.25]  # by then the first of them has recorded all four
    assert one.seconds == 1.25
    assert four.locks == [0, 0, 0, 0]


@pytest.mark.parametrize(("workers", "busy"), [(1, 0.5), (2, 0.6), (3, 0.7)])
def test_strangers_wait_as_long_as_theory_says(workers: int, busy: float) -> None:
    load = Load(bouts=150_000, bouts_a_second=workers * busy)
    outcome = course(Fleet(workers=workers), load, Times(play=(1.0,), exponential=True), seed=1)
    waited = sum(outcome.waits) / len(outcome.waits)
    assert waited == pytest.approx(mean_wait(workers, workers * busy, 1.0), rel=0.05)


def test_erlangs_formula_is_that_of_the_tables() -> None:
    assert erlang_c(1, 0.5) == pytest.approx(0.5)
    assert erlang_c(2, 1.0) == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="never catch up"):
        erlang_c(2, 2.0)


def test_a_fleet_of_the_settings_lapses_as_the_leases_do() -> None:
    rules = Rules(lease=float(settings.LEASE_SECONDS), sweep=settings.SWEEP_SECONDS, page=0.05, attempts=5, away=1.0)
    outcome = course(Fleet(workers=50, crashes_an_hour=30.0), Load(bouts=2000, bouts_a_second=10.0), rules=rules)
    assert outcome.crashes
    assert max(outcome.leases) <= settings.LEASE_SECONDS + settings.SWEEP_SECONDS
    assert min(outcome.leases) >= settings.LEASE_SECONDS * 2 / 3


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
    archived=500.0,
)
ASSUMED = Assumed(peak=2.0, used=0.5, kept_days=10.0)


def test_a_fleet_is_what_was_measured_times_what_there_is() -> None:
    fleet = sizes(COST, 8_640_000, ASSUMED)  # a hundred a second, two hundred at the peak
    assert (fleet.a_second, fleet.workers, fleet.houses, fleet.database) == (200.0, 75, 13, 25)
    assert (fleet.statements, fleet.commits, fleet.bells) == (12_000.0, 8_000.0, 1_000.0)
    assert (fleet.stored, fleet.objects) == (8_640_000 * 10 * 16_000.0, 8_640_000 * 365 * 500.0)


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
        Window(seconds=10.0, processors={"web": 10 * (0.001 + size * 1e-5)}, counts={}, others=0.0)
        for size in (50, 500)
    )
    cost = reckoned([(50, few, 50_000, 500), (500, many, 500_000, 5000)], memory=20_000.0)
    assert (cost.entries, cost.wire, cost.rate) == (1.0, 100.0, 100.0)
    assert cost.watcher == pytest.approx(1e-5)
    assert cost.entry == pytest.approx(0.001)


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
    load = Load(leagues=1, matches=4)
    rest = Window(seconds=10.0, processors={"database": 0.5}, counts={}, others=0.0)
    course_ = Course(makespan=80.0, throughput=0.5, wait=10.0, ended=40)
    found = Measured(
        matches=[(COST, rest)],
        watch=WatchCost(entries=5.0, watcher=2e-5, entry=2e-3, crowd=500, wire=700.0, rate=3500.0, memory=40_000.0),
        rest=rest,
        floor=Floor(reads=50_000.0, appends=4_000.0),
        locks=Locks(entries=64, record=0.01, more=0.005, turn=0.4),
        rules=RULES,
        thousand=[Reckoned(name="four matches", houses=1, outcome=course(Fleet(workers=2, kills=(1.5,)), load))],
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
        "| seconds from first to last | 80.0 | 88.0 | 10.0% |",
    ):
        assert line in page
    assert "| four matches | 4 | 1 |" in page
