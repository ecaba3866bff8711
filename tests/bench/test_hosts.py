"""Pause of a match whose host lost power, and time until a worker exits after a graceful shutdown."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

from tests.support.prepared_leagues import LeagueSize, prepare_league, query_database
from tests.support.waiting import wait_for
from tools.bench.workload_speed_comparison import BenchmarkResult
from tools.multi_host_fleet.fleet_database_queries import find_host_of_match
from tools.multi_host_fleet.two_host_fleet import PATIENCE, TwoHostFleet, play_on_two_hosts

SIZE = LeagueSize(bots=6, rounds=3, games=4, seconds=0.04)
LEASE, TIMES, LEAVING = 3, 5, 5.0
"""Seconds of a lease; number of repetitions; maximum seconds of a graceful shutdown."""
LASTED = """
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM closed_at - opened_at))::float8
FROM replays_match WHERE status = 'closed' AND attempts = 1
"""
"""Median duration of an undisturbed match. The other host finishes its own match before it resumes another."""


def goes_on(pair: TwoHostFleet, match: str, since: float) -> float:
    """Return the seconds until the first host resumes a match of the second host."""
    length = f"SELECT length FROM replays_stream WHERE id = 'match/{match}'"
    before = query_database(pair.arena, length)[0][0]

    def gone_on() -> bool:
        return (
            find_host_of_match(pair.arena, match)[0] == pair.first.name
            and query_database(pair.arena, length)[0][0] > before
        )

    wait_for(gone_on, lambda: f"the first goes on with {match}; {pair.read_output()}", PATIENCE)
    return time.perf_counter() - since


def died(pair: TwoHostFleet) -> float:
    """Cut the power of the second host; return the seconds until its match was resumed."""
    held = pair.disturb_during_match(pair.second, pair.second.power_off, pair.restart)
    waited = goes_on(pair, held.match, time.perf_counter())
    pair.restart()
    return waited


def left(pair: TwoHostFleet) -> tuple[float, float]:
    """Shut the second host's worker down; return the seconds until it exited and until its match was resumed."""
    held, began = pair.wait_for_match_in_progress(pair.second), time.perf_counter()
    pair.second.end("matches", patience=PATIENCE)
    gone = time.perf_counter() - began
    waited = goes_on(pair, held.match, began) if find_host_of_match(pair.arena, held.match)[1] != "closed" else gone
    pair.arena.play(pair.second)
    return gone, waited


def figure(name: str, seconds: list[float], bound: float, bound_name: str) -> BenchmarkResult:
    """Return the median of some times beside its limit."""
    ours = median(seconds)
    return BenchmarkResult(
        f"{name}, s (at most {max(seconds):.1f})", ours, bound, ours / bound, bound_name, "ratio <= 1"
    )


def test_matches_resume_on_another_host_after_their_host_loses_power_or_shuts_down_gracefully(
    figures: list[BenchmarkResult], tmp_path: Path
) -> None:
    with play_on_two_hosts(prepare_league(tmp_path / "var", SIZE), tmp_path, LEASE) as pair:
        deaths = [died(pair) for _ in range(TIMES)]
        leavings = [left(pair) for _ in range(TIMES)]
        match = float(query_database(pair.arena, LASTED)[0][0])
    gone, waited = ([pair[part] for pair in leavings] for part in (0, 1))
    figures.append(
        figure("from a host's loss of power to its match going on", deaths, LEASE + 2 + match, "lease + 2 s + a match")
    )
    figures.append(figure("from being asked to leave to being gone", gone, LEAVING, "5 s"))
    figures.append(figure("from being asked to leave to its match going on", waited, LEAVING + match, "5 s + a match"))
