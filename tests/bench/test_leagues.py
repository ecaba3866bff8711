"""Times to record a result, close a round and show the pages of a league after ten rounds, by number of entries.

Services, stream and rows are real, on a PostgreSQL that writes to disk; only the matches were generated, not played.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from statistics import median

import pytest
from django.test import Client
from django.utils import timezone

from tools.bench.league_database_filler import create_large_league, end_matches
from tools.bench.reference_workloads import allow_seconds
from tools.bench.workload_speed_comparison import BenchmarkResult
from tournaments.leagues import services
from tournaments.models import League
from tournaments.reports import league_page_queries

pytestmark = pytest.mark.django_db(transaction=True)

ENTRIES = (50, 200, 500, 1000)
BEHIND, ROUNDS = 10, 11
RESULTS = 20
"""Number of results that are recorded one after the other for a median."""
TOGETHER = 100
"""Number of results that wait when the rate is measured."""
RECORDING, CLOSING = 0.020, 1.0
"""Maximum seconds on the reference processor."""
RESULTS_A_SECOND = 50
"""Minimum rate on the reference processor."""
SHOWINGS, SHOWING = 9, 0.5
"""Number of requests for the median of each page, and maximum seconds of a page after a change of the league."""
PARTS = ("", "standings/", "rounds/3/", "cross/")


def seconds(match_id: str) -> float:
    started = time.perf_counter()
    assert services.record_match(match_id)
    return time.perf_counter() - started


def closing(league: League) -> tuple[float, float]:
    """Return the time of a round's last result, which blocks all other work, and of pairing the next round."""
    started = time.perf_counter()
    assert services.record_waiting(league.pk)
    closed = time.perf_counter()
    assert services.do_due_work(league.pk, timezone.now())
    return closed - started, time.perf_counter() - closed


def recording(leagues: Sequence[League]) -> list[float]:
    """Return the median time of one result in each league. The leagues alternate, so that noise affects all alike."""
    turns = [[seconds(end_matches(league, 1)[0]) for league in leagues] for _ in range(RESULTS)]
    return [median(column) for column in zip(*turns, strict=True)]


def exponent(entries: Sequence[int], took: Sequence[float]) -> float:
    """Return the exponent of the growth of time with entries: least squares of the logarithms."""
    logs = [(math.log(count), math.log(each)) for count, each in zip(entries, took, strict=True)]
    mean = [sum(column) / len(logs) for column in zip(*logs, strict=True)]
    over = sum((x - mean[0]) * (y - mean[1]) for x, y in logs)
    return over / sum((x - mean[0]) ** 2 for x, _ in logs)


def test_a_league_of_1000_bots_records_results_and_closes_rounds_within_time_limits(
    figures: list[BenchmarkResult],
) -> None:
    leagues = [create_large_league(entries, ROUNDS, BEHIND) for entries in ENTRIES]
    closed, followed = zip(*map(closing, leagues), strict=True)
    recorded = recording(leagues)
    grows = exponent(ENTRIES, recorded)
    max_recording, max_closing = allow_seconds(RECORDING), allow_seconds(CLOSING)
    for what, column, wanted in (
        ("recording a result", recorded, max_recording),
        ("closing a round", closed, max_closing),
        ("pairing and ordering the next", followed, max_closing),
    ):
        for entries, took in zip(ENTRIES, column, strict=True):
            name = f"{what}, {entries} entries after {BEHIND} rounds, ms"
            figures.append(BenchmarkResult(name, took * 1e3, wanted * 1e3, took / wanted, "what is wanted", "<= 1"))
    figures.append(
        BenchmarkResult("exponent of recording over entries", grows, 0.1, grows / 0.1, "what is wanted", "<= 1")
    )
    assert max(recorded) <= max_recording
    assert grows <= 0.1
    assert max(closed) <= max_closing


def test_a_league_records_at_least_fifty_waiting_results_per_second(figures: list[BenchmarkResult]) -> None:
    league = create_large_league(max(ENTRIES), ROUNDS, BEHIND)
    closing(league)
    waiting = end_matches(league, TOGETHER)
    started = time.perf_counter()
    for match in waiting:
        services.record_match(match)
    rate = len(waiting) / (time.perf_counter() - started)
    wanted = RESULTS_A_SECOND / allow_seconds(1)
    figures.append(
        BenchmarkResult(
            "results that wait, each rung for, a second", rate, wanted, rate / wanted, "what is wanted", ">= 1"
        )
    )
    assert league.tables.filter(match__in=waiting, recorded=True).count() == len(waiting)
    assert rate >= wanted


def showing(client: Client, path: str) -> float:
    """Return the time of a page whose league's standings must be computed again."""
    league_page_queries.compute_standings.cache_clear()
    started = time.perf_counter()
    assert client.get(path).status_code == 200
    return time.perf_counter() - started


def test_the_pages_of_a_league_of_1000_bots_load_within_a_time_limit(
    figures: list[BenchmarkResult], client: Client
) -> None:
    small, large = (create_large_league(entries, ROUNDS, BEHIND) for entries in (min(ENTRIES), max(ENTRIES)))
    for part in PARTS:
        turns = [
            [showing(client, f"/leagues/{league.slug}/{part}") for league in (small, large)] for _ in range(SHOWINGS)
        ]
        few, many = (median(column) for column in zip(*turns, strict=True))
        limit = allow_seconds(SHOWING)
        aim = f"<= {1000 * limit:.0f} ms"
        name = f"page {part or 'of a league'}, {max(ENTRIES)} entries after {BEHIND} rounds, ms"
        figures.append(BenchmarkResult(name, many * 1e3, few * 1e3, many / few, f"{min(ENTRIES)} entries", aim))
        assert many <= limit
