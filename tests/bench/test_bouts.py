"""Time to choose the next table of a continuous ladder, by number of bots."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from time import perf_counter

import numpy as np
import pytest

from ftk_core.league.matchmaking import MatchmakingBotCandidate, choose_bout_seating
from ftk_core.random_streams import seed_of
from tools.bench.workload_speed_comparison import BenchmarkResult

SIZES = (12, 50, 100, 250, 500, 1000)
WANTED = 0.02
"""Seconds to choose one table of 1,000 bots. A sweep has two seconds for several choices."""
TIMES = 20


def seconds(count: int, seats: int) -> float:
    """Return the shortest time of several choices among bots that have all met often."""
    luck = Random(count)
    field = [
        MatchmakingBotCandidate(
            key=key, owner=key % (count // 3), value=luck.gauss(1500, 200), called=luck.randrange(200)
        )
        for key in range(count)
    ]
    met: Mapping[int, int] = {key: luck.randrange(1_000_000) for key in range(count)}
    took = []
    for number in range(TIMES):
        started = perf_counter()
        choose_bout_seating(field, seats, seed_of(number), lambda _key: met)
        took.append(perf_counter() - started)
    return min(took)


@pytest.mark.parametrize("seats", [2, 4])
def test_selecting_the_bots_of_the_next_ladder_match_takes_near_linear_time_in_the_number_of_bots(
    figures: list[BenchmarkResult], seats: int
) -> None:
    took = [seconds(count, seats) for count in SIZES]
    grows = float(np.polyfit(np.log(SIZES), np.log(took), 1)[0])
    figures.append(
        BenchmarkResult(
            f"tables of {seats} among 1,000, /s", 1 / took[-1], 1 / WANTED, WANTED / took[-1], "wanted", ">= 1"
        )
    )
    figures.append(
        BenchmarkResult(f"exponent of that over 12 to 1,000, tables of {seats}", grows, 1, grows, "1", "<= 1.2")
    )
    assert took[-1] <= WANTED
    assert grows <= 1.2
