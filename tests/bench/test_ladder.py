"""Time to rate the newest match of a ladder, and one so late that all other matches are replayed."""

from __future__ import annotations

from random import Random
from statistics import median
from time import perf_counter

import pytest
from django.db import transaction

from tests.support.factories import BotFactory
from tests.support.ladders import build_match
from tools.bench.workload_speed_comparison import BenchmarkResult
from tournaments.ladders import ladder_match_rating
from tournaments.ladders.ladder_event_types import LeagueMatchRated
from tournaments.ladders.queries import read_standing

pytestmark = pytest.mark.django_db(transaction=True)

BOTS, SEATS, MATCHES = 200, 4, 20_000
TIMES = 5


def some(names: list[str], league: int) -> list[LeagueMatchRated]:
    luck = Random(league)
    places = list(range(1, SEATS + 1))
    return [
        build_match(f"{league}-{table}", luck.sample(names, SEATS), luck.sample(places, SEATS), league, table)
        for table in range(MATCHES)
    ]


def seconds(league: int) -> float:
    started = perf_counter()
    with transaction.atomic():
        ladder_match_rating.rate("pig", "2026", [build_match(f"late{league}", ("b0", "b1"), (1, 2), league)])
    return perf_counter() - started


def noted(figures: list[BenchmarkResult], name: str, took: float, wanted: float) -> None:
    figures.append(BenchmarkResult(f"{name}, per s", 1 / took, 1 / wanted, wanted / took, "what is wanted", ">= 1"))


def test_rating_a_new_match_takes_milliseconds_and_recomputing_20000_ratings_takes_seconds(
    figures: list[BenchmarkResult],
) -> None:
    names = [str(BotFactory.create(slug=f"b{number}").slug) for number in range(BOTS)]
    with transaction.atomic():
        ladder_match_rating.rate("pig", "2026", some(names, 100))
    noted(figures, "a match at a ladder's end", median(seconds(200 + number) for number in range(TIMES)), 0.05)
    noted(figures, "a match that replays 20,000", median(seconds(50 - number) for number in range(TIMES)), 10)
    started = perf_counter()
    assert read_standing("b0", "pig") is not None
    noted(figures, "how a bot stands, of 20,000 matches", perf_counter() - started, 0.05)
