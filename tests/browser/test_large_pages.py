"""The pages of a large league come by parts, each no larger and asking no more than that of a small one."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.support.bench.leagues import large_league
from tests.support.browser.pages import text_of
from tournaments import league_queries, services

pytestmark = pytest.mark.django_db(transaction=True)

MOST_BYTES = 200_000
PARTS = ("", "standings/", "standings/?after=50", "rounds/1/", "rounds/3/", "cross/", "cross/?around=7", "acts/")
HTMX = {"HX-Request": "true"}


def running_league(entries: int, rounds: int) -> str:
    """The address of a league in its last round."""
    league = large_league(entries, rounds, rounds - 1)
    services.record_waiting(league.pk)
    assert services.tend(league.pk, timezone.now())
    return f"/leagues/{league.slug}/"


def asked(client: Client, path: str) -> list[str]:
    """What a page asks the database, without the values."""
    with CaptureQueriesContext(connection) as captured:
        text_of(client, path)
    return [re.sub(r"IN \([^)]*\)", "IN ()", query["sql"])[:200] for query in captured]


def walk(client: Client, start: str, pattern: str) -> list[str]:
    """What matches the pattern on a list's first part and on all that follow by its link to the next."""
    found, path = list[str](), start
    while path:
        page = text_of(client, path)
        found += re.findall(pattern, page)
        more = re.search(r'rel="next" href="(\?after=[^"]+)"', page)
        path = start + more[1] if more else ""
    return found


@pytest.mark.slow
def test_a_large_league_asks_the_database_no_more_often_than_a_small_one(client: Client) -> None:
    small, large = running_league(60, 3), running_league(160, 3)
    for part in PARTS:
        for league in (small, large):
            text_of(client, league + part)  # what is folded is kept
        assert len(asked(client, small + part)) == len(asked(client, large + part)) <= 8, part


@pytest.mark.slow
def test_no_part_of_a_league_of_a_thousand_is_larger_than_it_may_be(client: Client) -> None:
    league = running_league(1000, 11)
    for part in (*PARTS, "standings/?after=950", "cross/?after=960"):
        for headers in ({}, HTMX):
            answer = client.get(league + part, headers=headers)
            assert answer.status_code == 200
            assert len(answer.content) <= MOST_BYTES, part


@pytest.mark.slow
def test_the_parts_of_the_standings_make_all_of_them(client: Client) -> None:
    running_league(160, 2)
    found = walk(client, "/leagues/l160/standings/", r'<th scope="row" class="name"><a href="[^"]+">([^<]+)</a>')
    assert found == [row.name for row in league_queries.list_standings("l160")]


@pytest.mark.slow
def test_the_parts_of_a_round_make_all_its_tables(client: Client) -> None:
    running_league(160, 2)
    found = walk(client, "/leagues/l160/rounds/2/", r"Table (\d+)")
    assert found == [str(number) for number in range(1, 81)]


def test_the_cross_table_shows_some_side_by_side_or_around_an_entry(client: Client) -> None:
    league = running_league(160, 2)
    _, far = league_queries.read_cross("l160", after="40")
    assert [at for at, _, _ in far.names] == list(range(41, 81))
    for entry in (1, 77, 160):
        _, near = league_queries.read_cross("l160", around=str(entry))
        assert len(near.names) == league_queries.CROSSED
        assert entry in [number for _, number, _ in near.names]
    assert "from 121 to 160 of 160" in text_of(client, f"{league}cross/?after=120")


@pytest.mark.parametrize(
    "path",
    [
        "standings/?after=0",
        "standings/?after=60",
        "standings/?after=-1",
        "standings/?after=x",
        "rounds/1/?after=7",
        "cross/?around=61",
        "cross/?around=x",
        "acts/?after=1",
        "standings/?before=1",
    ],
)
def test_a_cursor_that_no_page_gave_is_refused(client: Client, path: str) -> None:
    text_of(client, running_league(60, 2) + path, 400)


def test_a_round_that_is_not_paired_is_not_found(client: Client) -> None:
    league = running_league(60, 2)
    for number in (0, 3, 99999999):
        text_of(client, f"{league}rounds/{number}/", 404)
