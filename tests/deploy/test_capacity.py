"""The fleet that is reckoned keeps the laws of queues and of the arena."""

from __future__ import annotations

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from tests.support.capacity.outcome import Outcome
from tests.support.capacity.scenario import Fleet, Load, Rules, Times, erlang_c, mean_wait
from tests.support.capacity.simulation import Simulation

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


@pytest.mark.slow
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
