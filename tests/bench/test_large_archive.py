"""Times of all pages in an archive a hundred times as large: they must not grow with its size."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter

import psycopg
import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bots.models import Bot
from ftk_core.kit.built_in_bots import list_built_in_bots
from people.person_roles import make_organiser
from replays.models import Match
from tests.support.browser.screenshots import TROUBLE, list_screenshots
from tests.support.factories import create_active_version
from tests.support.ladders import add_matches, create_bot
from tests.support.leagues import play_all, start_league
from tools.bench.match_database_filler import BOTS, GAME, DatabaseNotEmptyError, grow_archive
from tools.bench.reference_workloads import measure_slowness
from tools.bench.workload_speed_comparison import BenchmarkResult
from tournaments.models import ALL_TIME

pytestmark = pytest.mark.django_db(transaction=True)

SMALL, LARGE = 10_000, int(os.environ.get("FTK_BENCH_MATCHES", "100000"))
TIMES = 7
MOST_MS, MOST_GROWN = 150, 1.3
FILLED_LATER = {"search-met"}
"""Pages that a small archive does not fill: its two bots have met five times, those of a large one fifty times."""
NOISE_MS = 15
"""Tolerated difference for fast pages, because the ratio of two small numbers is mostly noise."""


def seconds(client: Client, path: str) -> float:
    cache.clear()
    started = perf_counter()
    answer = client.get(path)
    taken = perf_counter() - started
    assert answer.status_code == (400 if "nobody" in path else 200) or answer.status_code == 302, (
        path,
        answer.status_code,
    )
    return taken


@contextmanager
def kept(name: str) -> Iterator[None]:
    """Copy the stored data to another database until the block ends."""
    own = connection.settings_dict["NAME"]
    _manage(f"CREATE DATABASE {name} TEMPLATE {own}")
    try:
        yield
    finally:
        _manage(f"DROP DATABASE {name}")


def _manage(statement: str) -> None:
    connection.close()
    settings = {**connection.get_connection_params(), "dbname": "postgres", "autocommit": True}
    with psycopg.connect(
        **{name: settings[name] for name in ("host", "port", "user", "dbname", "autocommit") if name in settings}
    ) as one:
        one.execute(statement.encode())


@contextmanager
def asked_of(name: str) -> Iterator[None]:
    """Make the pages read another database."""
    own = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = own


def window(client: Client, pages: dict[str, str], database: str) -> dict[str, float]:
    """Return the time of each page in milliseconds, after one warm-up request each."""
    with asked_of(database):
        seconds(client, "/")
        return {name: 1000 * seconds(client, path) for name, path in pages.items()}


def slowest(client: Client, path: str) -> str:
    """Return the beginning of the slowest SQL statement of a page."""
    cache.clear()
    with CaptureQueriesContext(connection) as seen:
        client.get(path)
    worst = max(seen.captured_queries, key=lambda query: float(query["time"]), default={"time": "0", "sql": ""})
    beginning = " ".join(worst["sql"].split())[:60]
    return f"{len(seen)} queries, one {worst['time']} s: {beginning}"


def pages_of(owner: User) -> dict[str, str]:
    """Return every page that screenshots are taken of, for a played league and a bot of this owner."""
    house = sorted(list_built_in_bots("pig").items())
    league = start_league(
        [create_active_version(path, slug=f"p-{name}", owner=owner) for name, path in house], rounds=1
    )
    play_all(league)
    Bot.objects.filter(slug=f"b{BOTS - 1}").update(owner=owner)
    match = Match.objects.filter(game=GAME).order_by("-closed_at", "-pk")[0].pk
    found = {
        "league": f"/leagues/{league.slug}/",
        "bot": f"/bots/b{BOTS - 1}/",
        "game": GAME,
        "season": ALL_TIME,
        "house": min(list_built_in_bots(GAME)),
        "match": f"/matches/{match}/",
        "embed": f"/embed/{match}/",
    }
    searches = {"search-bot": f"/search/?bot=b{BOTS - 1}", "search-met": f"/search/?bot=b1&opponent=b{BOTS - 1}"}
    return {name: path for name, path in list_screenshots(found) if name not in TROUBLE} | searches


def test_pages_load_about_as_fast_with_a_large_archive_as_with_a_small_one(
    admin_client: Client, figures: list[BenchmarkResult]
) -> None:
    grow_archive(SMALL)
    admin = User.objects.get(username="admin")
    make_organiser(admin)
    pages, small, large = pages_of(admin), "ftk_small", str(connection.settings_dict["NAME"])
    with kept(small):
        grow_archive(LARGE)
        for name in (small, large):
            window(admin_client, pages, name)
        both, slowness = [], []
        for _ in range(TIMES):
            both.append((window(admin_client, pages, small), window(admin_client, pages, large)))
            slowness.append(measure_slowness())  # in each window, as the speed of a virtual machine varies
    limit = MOST_MS * max(1.0, median(slowness))
    few = {name: median(one[name] for one, _ in both) for name in pages}
    many = {name: median(other[name] for _, other in both) for name in pages}
    aim = f"<= 1.3, < {limit:.0f}"
    for name, path in pages.items():
        told = slowest(admin_client, path)
        figures.append(BenchmarkResult(f"{name}, ms", many[name], few[name], many[name] / few[name], told, aim))
    slow = {name: round(many[name]) for name in pages if many[name] >= limit}
    compared = pages.keys() - FILLED_LATER
    grown = {name: (few[name], many[name]) for name in compared if many[name] > MOST_GROWN * few[name] + NOISE_MS}
    assert not slow
    assert not grown


def test_generating_matches_in_a_database_with_real_matches_is_refused() -> None:
    add_matches([((create_bot("ada"), create_bot("bo")), (1, 2))])
    with pytest.raises(DatabaseNotEmptyError, match="1 matches are stored here"):
        grow_archive(SMALL)
