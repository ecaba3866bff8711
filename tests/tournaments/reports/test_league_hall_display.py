"""The screen of a league for a room: it shows the whole round and all standings, part after part."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.leagues import create_entrants, play_all, start_league
from tools.bench.league_database_filler import create_large_league
from tournaments.reports.league_big_screen import read_screen
from tournaments.reports.league_page_queries import list_standings

pytestmark = pytest.mark.django_db(transaction=True)
MAX_QUERIES = 12


def fetch_parts(client: Client, slug: str, count: int) -> list[str]:
    """Return this many parts of a screen, in the order in which a browser fetches them."""
    address, parts = f"/leagues/{slug}/screen/", []
    for _ in range(count):
        answer = client.get(address, headers={"HX-Request": "true"})
        assert answer.status_code == 200, address
        parts.append(answer.content.decode())
        address = unescape(re.findall(r'hx-get="([^"]+)"', parts[-1])[0])
    return parts


@pytest.mark.slow
def test_the_projector_screen_of_a_league_cycles_through_all_game_tables_and_full_standings() -> None:
    league, client = create_large_league(100, 3, 2), Client()
    parts = fetch_parts(client, league.slug, 12)
    assert parts[0] != parts[1]
    shown = "".join(parts)
    assert {int(number) for number in re.findall(r"<h2><span>Table (\d+)", shown)} == set(
        range(1, league.tables.filter(round=2).count() + 1)
    )
    for standing in list_standings(league.slug):
        assert f'<th scope="row" class="name">{standing.name}</th>' in shown
    first_tables = re.findall(r"<h2><span>Table (\d+)", parts[0])
    assert any(re.findall(r"<h2><span>Table (\d+)", part) == first_tables for part in parts[1:])


@pytest.mark.slow
def test_the_projector_screen_of_a_league_of_1000_bots_needs_few_queries_and_is_a_small_page(client: Client) -> None:
    league = create_large_league(1000, 3, 2)
    client.get(f"/leagues/{league.slug}/screen/")
    with CaptureQueriesContext(connection) as queries:
        body = client.get(f"/leagues/{league.slug}/screen/").content
    assert len(queries) <= MAX_QUERIES
    assert len(body) < 40_000


@pytest.mark.slow
def test_the_projector_screen_shows_the_number_of_played_matches_and_the_winner_of_the_league(client: Client) -> None:
    league = start_league(create_entrants())
    assert "0 of 2 matches played" in client.get("/leagues/night/screen/").content.decode()
    play_all(league)
    page = client.get("/leagues/night/screen/").content.decode()
    assert "2 of 2 matches played" in page
    winner = list_standings("night")[0].name
    assert f'<tr class="first"><td class="num">1</td><th scope="row" class="name">{winner}</th>' in page


def test_the_projector_screen_shows_the_first_game_tables_if_the_requested_ones_do_not_exist() -> None:
    start_league(create_entrants())
    shown = read_screen("night", tables="7~3").round
    assert shown is not None
    assert [table.number for table in shown.tables] == [1, 2]


@pytest.mark.slow
def test_the_projector_screen_shows_as_many_tables_as_fit_into_54_lines() -> None:
    league = create_large_league(60, 3, 1)  # a table has a line for each of its two seats and two for its heading
    shown = read_screen(league.slug).round
    assert shown is not None
    assert [table.number for table in shown.tables] == list(range(1, 14))


def test_the_projector_screen_of_a_league_shows_the_pairings_of_a_drafted_round(client: Client) -> None:
    start_league(create_entrants(), held=True)
    page = client.get("/leagues/night/screen/").content.decode()
    assert "The round is drafted and has not begun." in page
    assert page.count('<article class="sheet draft">') == 2


@pytest.mark.slow
def test_a_stopped_projector_screen_reloads_the_same_part_of_the_standings(client: Client) -> None:
    start_league(create_entrants(20))
    page = client.get("/leagues/night/screen/?standings=14&still=yes").content.decode()
    assert unescape(re.findall(r'hx-get="([^"]+)"', page)[0]).endswith("?tables=&standings=14&still=yes")
    assert "15 to 20 of 20 bots" in page
