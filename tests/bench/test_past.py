"""How long pages take when ten times as much has been played: what they cost must not grow with the past."""

from __future__ import annotations

import os
from statistics import median
from time import perf_counter

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.bench.archive import BOTS, GAME, ArchiveInUse, grow_archive
from tests.support.bench.windows import Figure
from tests.support.ladders import bot, matches

pytestmark = pytest.mark.django_db(transaction=True)

SMALL, LARGE = 10_000, int(os.environ.get("FTK_BENCH_MATCHES", "100000"))
TIMES = 5
PAGES = {
    "home": "/",
    "leagues": "/leagues/",
    "leaderboard": f"/leaderboards/{GAME}/",
    "continuous": f"/leaderboards/{GAME}/continuous/",
    "bots": "/bots/",
    "bot": f"/bots/b{BOTS - 1}/",
    "versions": f"/bots/b{BOTS - 1}/compare/",
    "search": "/search/",
    "search for a bot": f"/search/?bot=b{BOTS - 1}",
    "watch": "/watch/",
    "status": "/status/",
}
"""The pages that anybody may read and that look at what was played, but for those that read what happened within."""


def seconds(client: Client, path: str) -> float:
    cache.clear()
    started = perf_counter()
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return perf_counter() - started


def timed(client: Client) -> dict[str, float]:
    for path in PAGES.values():
        seconds(client, path)
    windows = [{name: seconds(client, path) for name, path in PAGES.items()} for _ in range(TIMES)]
    return {name: median(window[name] for window in windows) for name in PAGES}


def slowest(client: Client, path: str) -> str:
    """Return the beginning of the statement that a page waits for longest."""
    cache.clear()
    with CaptureQueriesContext(
        connection,
    ) as seen:
        client.get(path)
    worst = max(seen.captured_queries, key=lambda query: float(query["time"]), default={"time": "0", "sql": ""})
    beginning = " ".join(worst["sql"].split())[:60]
    return f"{len(seen)} queries, one {worst['time']} s: {beginning}"


def test_pages_of_a_small_archive_and_of_one_ten_times_as_large(client: Client, figures: list[Figure]) -> None:
    grow_archive(SMALL)
    few = timed(client)
    grow_archive(LARGE)
    many = timed(client)
    for name, path in PAGES.items():
        grown = many[name] / few[name]
        figures.append(
            Figure(f"{name}, ms", 1000 * many[name], 1000 * few[name], grown, slowest(client, path), "<= 1.3")
        )


def test_nothing_is_made_up_beside_matches_that_were_played() -> None:
    matches([((bot("ada"), bot("bo")), (1, 2))])
    with pytest.raises(ArchiveInUse, match="1 matches are stored here"):
        grow_archive(SMALL)
