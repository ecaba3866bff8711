"""How long a match stands still whose host lost power, and how soon a worker is gone that is asked to leave."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

from tests.support.bench.windows import Figure
from tests.support.fleet.ledger import holder_of
from tests.support.fleet.pair import PATIENCE, Pair, two_hosts
from tests.support.prepared import Size, asked, prepared
from tests.support.waiting import wait_for

SIZE = Size(bots=6, rounds=3, games=4, seconds=0.04)
LEASE, TIMES, LEAVING = 3, 5, 5.0
"""Seconds of a lease; how often each is tried; and the seconds in which a worker is to be gone."""
LASTED = """
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM closed_at - opened_at))::float8
FROM replays_match WHERE status = 'closed' AND attempts = 1
"""
"""The other host plays a match of its own meanwhile, and has no hand free before that is over."""


def goes_on(pair: Pair, match: str, since: float) -> float:
    """Return after how many seconds the first host went on with a match of the second's, behind where it stood."""
    length = f"SELECT length FROM replays_stream WHERE id = 'match/{match}'"
    before = asked(pair.arena, length)[0][0]

    def gone_on() -> bool:
        return holder_of(pair.arena, match)[0] == pair.first.name and asked(pair.arena, length)[0][0] > before

    wait_for(gone_on, f"the first goes on with {match}; {pair.said()}", PATIENCE)
    return time.perf_counter() - since


def died(pair: Pair) -> float:
    """Take the power from the second host, and return after how many seconds its match was gone on with."""
    held = pair.struck(pair.second, pair.second.power_off, pair.restart)
    waited = goes_on(pair, held.match, time.perf_counter())
    pair.restart()
    return waited


def left(pair: Pair) -> tuple[float, float]:
    """Ask the second host's worker to leave; return after how many seconds it was gone, and its match gone on with."""
    held, began = pair.midst(pair.second), time.perf_counter()
    pair.second.end("matches", patience=PATIENCE)
    gone = time.perf_counter() - began
    waited = goes_on(pair, held.match, began) if holder_of(pair.arena, held.match)[1] != "closed" else gone
    pair.arena.play(pair.second)
    return gone, waited


def figure(name: str, seconds: list[float], bound: float, bound_name: str) -> Figure:
    """Return the middle one of some times, beside what it may take."""
    ours = median(seconds)
    return Figure(f"{name}, s (at most {max(seconds):.1f})", ours, bound, ours / bound, bound_name, "ratio <= 1")


def test_a_host_that_loses_power_and_one_that_is_asked_to_leave(figures: list[Figure], tmp_path: Path) -> None:
    with two_hosts(prepared(tmp_path / "var", SIZE), tmp_path, LEASE) as pair:
        deaths = [died(pair) for _ in range(TIMES)]
        leavings = [left(pair) for _ in range(TIMES)]
        match = float(asked(pair.arena, LASTED)[0][0])
    gone, waited = ([pair[part] for pair in leavings] for part in (0, 1))
    figures.append(
        figure("from a host's loss of power to its match going on", deaths, LEASE + 2 + match, "lease + 2 s + a match")
    )
    figures.append(figure("from being asked to leave to being gone", gone, LEAVING, "5 s"))
    figures.append(figure("from being asked to leave to its match going on", waited, LEAVING + match, "5 s + a match"))
