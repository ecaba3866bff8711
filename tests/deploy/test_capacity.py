"""The simulation of a fleet: it obeys queueing theory and the rules of the arena."""

from __future__ import annotations

import pytest
from django.conf import settings
from hypothesis import given, strategies as st

from tools.capacity.fleet_simulation import FleetSimulation
from tools.capacity.fleet_simulation_results import FleetSimulationResults
from tools.capacity.simulation_inputs import (
    SimulatedArenaSettings,
    SimulatedFleet,
    SimulatedLoad,
    SimulatedStepDurations,
)

RULES = SimulatedArenaSettings(lease=15.0, sweep=2.0, page=0.05, attempts=5, away=1.0)
TIMES = SimulatedStepDurations(
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
    SimulatedFleet,
    workers=st.integers(1, 12),
    houses=st.integers(1, 3),
    crashes_an_hour=st.sampled_from([0.0, 60.0, 600.0]),
    kills=st.lists(st.floats(0, 20), max_size=3).map(tuple),
)
LOADS = st.builds(
    SimulatedLoad,
    leagues=st.integers(0, 3),
    rounds=st.integers(1, 3),
    matches=st.integers(1, 8),
    spread=st.floats(0, 10),
    bouts=st.integers(0, 20),
    bouts_a_second=st.floats(0.5, 5),
)


def course(
    fleet: SimulatedFleet,
    load: SimulatedLoad,
    times: SimulatedStepDurations = TIMES,
    rules: SimulatedArenaSettings = RULES,
    seed: int = 0,
) -> FleetSimulationResults:
    return FleetSimulation(fleet, load, times, rules, seed).run()


@pytest.mark.slow
@given(fleet=FLEETS, load=LOADS, seed=SEEDS)
def test_every_simulated_match_ends_exactly_once_despite_crashes(
    fleet: SimulatedFleet, load: SimulatedLoad, seed: int
) -> None:
    outcome = course(fleet, load, seed=seed)
    assert sorted([*outcome.closed, *outcome.void]) == list(range(1, load.total + 1))


@pytest.mark.slow
@given(fleet=FLEETS, load=LOADS, seed=SEEDS)
def test_each_simulated_match_ends_once_and_is_resumed_once_after_each_simulated_crash(
    fleet: SimulatedFleet, load: SimulatedLoad, seed: int
) -> None:
    outcome = course(fleet, load, seed=seed)
    assert len(outcome.houses) == load.total
    assert load.leagues * load.rounds <= len(outcome.locks) <= load.leagues * load.rounds * load.matches
    assert len(outcome.waits) == load.total
    assert len(outcome.waits_again) == outcome.crashes == len(outcome.leases)


@pytest.mark.slow
@given(fleet=FLEETS, load=LOADS, seed=SEEDS)
def test_the_simulated_queue_obeys_littles_law(fleet: SimulatedFleet, load: SimulatedLoad, seed: int) -> None:
    outcome = course(fleet, load, seed=seed)  # Little's law
    assert outcome.queue.now == 0
    assert outcome.queue.area == pytest.approx(sum(outcome.waits) + sum(outcome.waits_again))


@pytest.mark.slow
@given(fleet=FLEETS, load=LOADS, seed=SEEDS)
def test_the_same_seed_gives_the_same_simulation(fleet: SimulatedFleet, load: SimulatedLoad, seed: int) -> None:
    assert course(fleet, load, seed=seed) == course(fleet, load, seed=seed)


def test_a_simulated_match_is_given_up_after_the_configured_number_of_crashes() -> None:
    often = SimulatedFleet(workers=1, crashes_an_hour=3600.0)
    outcome = course(often, SimulatedLoad(leagues=1, matches=3), SimulatedStepDurations(play=(60.0,), replay=1.0))
    assert len(outcome.void) == 3
    assert outcome.crashes == 3 * RULES.attempts


@pytest.mark.parametrize(("matches", "kill", "over"), [(1, 3.0, 16.0), (1, 7.0, 20.0), (9, 3.0, 15.0), (9, 7.0, 20.0)])
def test_a_simulated_match_of_a_killed_worker_resumes_soon_after_its_lease_has_expired(
    matches: int, kill: float, over: float
) -> None:
    # heartbeats come every five seconds; with a long queue, a worker finds an expired lease before the periodic sweep
    outcome = course(
        SimulatedFleet(workers=2, kills=(kill,)),
        SimulatedLoad(leagues=1, matches=matches),
        SimulatedStepDurations(play=(10.0,)),
    )
    assert kill + outcome.leases[0] == over
    assert sorted(outcome.closed) == list(range(1, matches + 1))


def test_a_simulated_crash_costs_at_most_one_unwritten_log_page_and_the_time_to_replay_the_match() -> None:
    times = SimulatedStepDurations(play=(10.0,), replay=0.5, processor=0.5)
    outcome = course(SimulatedFleet(workers=2, kills=(7.0,)), SimulatedLoad(leagues=1), times)
    assert 0.5 * 0.5 * (7 - RULES.page) <= outcome.lost <= 0.5 * (RULES.page + 0.5 * 7)


def test_a_simulated_result_waits_for_the_lock_of_its_league_but_not_of_other_leagues() -> None:
    times = SimulatedStepDurations(play=(1.0,), record=0.25)
    one = course(SimulatedFleet(workers=4, houses=4), SimulatedLoad(leagues=1, matches=4), times)
    four = course(SimulatedFleet(workers=4, houses=4), SimulatedLoad(leagues=4, matches=1), times)
    # the others wait only once, because the first one records all four results
    assert one.locks == [0, 0.25, 0.25, 0.25]
    assert one.seconds == 1.25
    assert four.locks == [0, 0, 0, 0]


def erlang_c(servers: int, load: float) -> float:
    """Return the probability that an arrival has to wait in an M/M/c queue (Erlang's formula C).

    `load` is the arrival rate times the service time. See L. Kleinrock, Queueing Systems I, 3.5. Raises ValueError for
    a load under which the queue grows without limit.
    """
    # C is computed from formula B for this number of servers: B(n) = load B(n-1) / (n + load B(n-1)).
    if not 0 <= load < servers:
        raise ValueError(f"{servers} servers never catch up with a load of {load}")
    lost = 1.0
    for count in range(1, servers + 1):
        lost = load * lost / (count + load * lost)
    return lost / (1 - load / servers * (1 - lost))


def mean_wait(servers: int, arrivals: float, service: float) -> float:
    """Return the mean waiting time in an M/M/c queue, in seconds.

    `arrivals` are per second, `service` is the mean service time in seconds.
    """
    return erlang_c(servers, arrivals * service) / (servers / service - arrivals)


@pytest.mark.nightly
@pytest.mark.parametrize(("workers", "busy"), [(1, 0.5), (2, 0.6), (3, 0.7)])
def test_simulated_waiting_times_match_the_erlang_c_formula(workers: int, busy: float) -> None:
    load = SimulatedLoad(bouts=150_000, bouts_a_second=workers * busy)
    outcome = course(
        SimulatedFleet(workers=workers), load, SimulatedStepDurations(play=(1.0,), exponential=True), seed=1
    )
    waited = sum(outcome.waits) / len(outcome.waits)
    assert waited == pytest.approx(mean_wait(workers, workers * busy, 1.0), rel=0.05)


def test_the_erlang_c_formula_matches_published_tables() -> None:
    assert erlang_c(1, 0.5) == pytest.approx(0.5)
    assert erlang_c(2, 1.0) == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="never catch up"):
        erlang_c(2, 2.0)


def test_simulated_leases_last_within_the_configured_bounds() -> None:
    rules = SimulatedArenaSettings(
        lease=float(settings.LEASE_SECONDS), sweep=settings.SWEEP_SECONDS, page=0.05, attempts=5, away=1.0
    )
    outcome = course(
        SimulatedFleet(workers=50, crashes_an_hour=30.0), SimulatedLoad(bouts=2000, bouts_a_second=10.0), rules=rules
    )
    assert outcome.crashes
    assert max(outcome.leases) <= settings.LEASE_SECONDS + settings.SWEEP_SECONDS
    assert min(outcome.leases) >= settings.LEASE_SECONDS * 2 / 3
