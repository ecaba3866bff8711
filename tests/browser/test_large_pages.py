"""Pages of a large league: parts of limited size, and as many queries as for a small league."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.support.browser.pages import fetch_text
from tools.bench.league_database_filler import create_large_league
from tournaments.leagues import services
from tournaments.reports import league_page_queries

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MOST_BYTES = 200_000
PARTS = ("", "standings/", "standings/?after=50", "rounds/1/", "rounds/3/", "cross/", "cross/?around=7", "acts/")
HTMX = {"HX-Request": "true"}


def running_league(entries: int, rounds: int) -> str:
    """The URL of a large league in its last round."""
    league = create_large_league(entries, rounds, rounds - 1)
    services.record_waiting(league.pk)
    assert services.do_due_work(league.pk, timezone.now())
    return f"/leagues/{league.slug}/"


def list_statements(client: Client, path: str) -> list[str]:
    """Return the SQL statements of a page without their values."""
    with CaptureQueriesContext(connection) as captured:
        fetch_text(client, path)
    return [re.sub(r"IN \([^)]*\)", "IN ()", query["sql"])[:200] for query in captured]


def walk(client: Client, start: str, pattern: str) -> list[str]:
    """Return all matches of a regular expression on the first page of a list and on all following pages."""
    found, path = list[str](), start
    while path:
        page = fetch_text(client, path)
        found += re.findall(pattern, page)
        more = re.search(r'rel="next" href="(\?after=[^"]+)"', page)
        path = start + more[1] if more else ""
    return found


def test_the_page_of_a_large_league_needs_no_more_queries_than_that_of_a_small_league(client: Client) -> None:
    small, large = running_league(60, 3), running_league(160, 3)
    for part in PARTS:
        for league in (small, large):
            fetch_text(client, league + part)  # the first request caches the replayed league
        assert len(list_statements(client, small + part)) == len(list_statements(client, large + part)) <= 9, part


@pytest.mark.nightly
def test_each_page_and_page_fragment_of_a_league_of_1000_bots_stays_within_a_size_limit(client: Client) -> None:
    league = running_league(1000, 11)
    for part in (*PARTS, "standings/?after=950", "cross/?after=960"):
        for headers in ({}, HTMX):
            answer = client.get(league + part, headers=headers)
            assert answer.status_code == 200
            assert len(answer.content) <= MOST_BYTES, part


def test_paging_through_the_standings_shows_every_entry_once(client: Client) -> None:
    running_league(160, 2)
    found = walk(client, "/leagues/l160/standings/", r'<th scope="row" class="name"><a href="[^"]+">([^<]+)</a>')
    assert found == [row.name for row in league_page_queries.list_standings("l160")]


def test_paging_through_a_round_shows_every_game_table_once(client: Client) -> None:
    running_league(160, 2)
    found = walk(client, "/leagues/l160/rounds/2/", r"Table (\d+)")
    assert found == [str(number) for number in range(1, 81)]


def test_the_cross_table_can_be_paged_or_centred_on_an_entry(client: Client) -> None:
    league = running_league(160, 2)
    _, far = league_page_queries.read_cross("l160", after="40")
    assert [at for at, _, _ in far.names] == list(range(41, 81))
    for entry in (1, 77, 160):
        _, near = league_page_queries.read_cross("l160", around=str(entry))
        assert len(near.names) == league_page_queries.CROSS_TABLE_PAGE
        assert entry in [number for _, number, _ in near.names]
    assert "for places 121 to 160 of 160" in fetch_text(client, f"{league}cross/?after=120")


INVALID_CURSORS = (
    *("standings/?after=0", "standings/?after=60", "standings/?after=-1", "standings/?after=x"),
    *("rounds/1/?after=7", "cross/?around=61", "cross/?around=x", "acts/?after=1", "standings/?before=1"),
)


def test_an_invalid_paging_cursor_is_refused(client: Client) -> None:
    league = running_league(60, 2)
    for path in INVALID_CURSORS:
        assert client.get(league + path).status_code == 400, path


def test_the_page_of_a_round_that_is_not_yet_paired_returns_status_404(client: Client) -> None:
    league = running_league(60, 2)
    for number in (0, 3, 99999999):
        fetch_text(client, f"{league}rounds/{number}/", 404)
