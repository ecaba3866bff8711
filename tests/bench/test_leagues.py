"""How a league grows: recording a result and closing a round, by entries, with ten rounds behind them.

The services, the stream and the rows are the real ones, on a PostgreSQL that really writes; only the matches have not
been played, but said to have ended.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from statistics import median

import pytest

from tests.support.bench.leagues import end_matches, large_league
from tests.support.bench.windows import Figure
from tournaments import services
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)

ENTRIES = (50, 200, 500, 1000)
BEHIND, ROUNDS = 10, 11
RESULTS = 20
"""How many are recorded, one after the other, for a median."""
TOGETHER = 100
"""How many wait when it is asked how many are recorded in a second."""
RECORDING, CLOSING = 0.020, 1.0
"""Seconds that are wanted at most."""


def seconds(match_id: str) -> float:
    started = time.perf_counter()
    assert services.record_match(match_id)
    return time.perf_counter() - started


def closing(league: League) -> float:
    """Return how long the last result of a round takes: it closes, signs and rates it, pairs and orders the next."""
    last = league.tables.get(recorded=False)
    return seconds(last.match_id)


def recording(league: League) -> float:
    """Return how long one result of a round takes that is being played, the median of some."""
    return median(seconds(end_matches(league, 1)[0]) for _ in range(RESULTS))


def exponent(entries: Sequence[int], took: Sequence[float]) -> float:
    """Return by which power of the entries time grows: least squares of the logarithms."""
    logs = [(math.log(count), math.log(each)) for count, each in zip(entries, took, strict=True)]
    mean = [sum(column) / len(logs) for column in zip(*logs, strict=True)]
    over = sum((x - mean[0]) * (y - mean[1]) for x, y in logs)
    return over / sum((x - mean[0]) ** 2 for x, _ in logs)


def test_a_league_of_a_thousand_is_recorded_and_closed_in_time(figures: list[Figure]) -> None:
    closed, recorded = [], []
    for entries in ENTRIES:
        league = large_league(entries, ROUNDS, BEHIND)
        closed.append(closing(league))
        recorded.append(recording(league))
        for name, took, wanted in (("recording", recorded[-1], RECORDING), ("closing", closed[-1], CLOSING)):
            what = f"{name}, {entries} entries after {BEHIND} rounds, ms"
            figures.append(Figure(what, took * 1e3, wanted * 1e3, took / wanted, "what is wanted", "<= 1"))
    grows = exponent(ENTRIES, recorded)
    figures.append(Figure("exponent of recording over entries", grows, 0.1, grows / 0.1, "what is wanted", "<= 1"))
    assert max(recorded) <= RECORDING
    assert grows <= 0.1
    assert max(closed) <= CLOSING


def test_results_that_wait_are_recorded_in_time(figures: list[Figure]) -> None:
    league = large_league(max(ENTRIES), ROUNDS, BEHIND)
    closing(league)
    waiting = end_matches(league, TOGETHER)
    started = time.perf_counter()
    for match in waiting:
        services.record_match(match)
    rate = len(waiting) / (time.perf_counter() - started)
    figures.append(Figure("results that wait, each rung for, a second", rate, 50, rate / 50, "what is wanted", ">= 1"))
    assert league.tables.filter(match__in=waiting, recorded=True).count() == len(waiting)
    assert rate >= 50
