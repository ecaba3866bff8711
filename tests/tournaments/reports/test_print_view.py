"""Print view of a league: all its public data on one page, and nothing else."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.leagues import create_entrants, play_all, start_league
from tools.bench.league_database_filler import create_large_league
from tournaments.leagues.league_event_projection import load
from tournaments.models import League
from tournaments.reports import print_view
from tournaments.reports.league_page_queries import list_standings
from tournaments.reports.print_view import read_print_view

pytestmark = pytest.mark.django_db(transaction=True)
BYTES = 1_500_000


def printed(client: Client, slug: str = "night") -> str:
    answer = client.get(f"/leagues/{slug}/print/")
    assert answer.status_code == 200
    return unescape(re.sub(r"<[^>]+>|\s+", " ", answer.content.decode()))


@pytest.mark.slow
def test_the_print_view_of_a_league_has_standings_cross_table_and_all_results(client: Client) -> None:
    play_all(start_league(create_entrants()))
    _, state = load(League.objects.get())
    text = re.sub(r"\s+", " ", printed(client))
    for row in list_standings("night"):
        assert f"{row.place} {row.name} {row.points} {' '.join(row.tiebreaks)} {row.decided}" in text
    for result in state.results:
        seats = sorted(zip(result.places, result.seating, result.scores, strict=True), key=lambda seat: seat[0])
        told = " · ".join(f"{place}. {state.entrant(entry).name} ({score})" for place, entry, score in seats)
        assert told in text
    assert "Cross table" in text
    assert "/leagues/night/print/" in client.get("/leagues/night/").content.decode()


def test_the_print_view_of_a_league_has_no_navigation_no_script_and_no_secret(client: Client) -> None:
    league = start_league(create_entrants())
    body = client.get("/leagues/night/print/").content.decode()
    assert "<nav" not in body
    assert "<script" not in body
    assert "style=" not in body
    assert bytes(league.secret).hex() not in body


def test_the_print_view_of_a_league_shows_a_match_not_yet_played_with_its_pairing(client: Client) -> None:
    start_league(create_entrants())
    paper = read_print_view("night")
    assert [seat.place for one in paper.rounds for match in one.matches for seat in match.seats] == [None] * 4
    assert paper.cross is None
    text, state = re.sub(r"\s+", " ", printed(client)), load(League.objects.get())[1]
    for table in state.rounds[0].tables:
        assert " · ".join(state.entrant(entry).name for entry in table.seating) in text


@pytest.mark.slow
def test_the_print_view_of_a_league_of_1000_entries_needs_few_queries_and_has_no_cross_table(client: Client) -> None:
    create_large_league(1000, 4, 3)
    with CaptureQueriesContext(connection) as asked:
        text = printed(client, "l1000")
    assert len(asked) < 60
    assert len(text) < BYTES
    assert "Cross table" not in text
    assert len(read_print_view("l1000").rounds[0].matches) == 500


@pytest.mark.slow
def test_the_print_view_of_a_league_with_too_many_matches_shows_the_newest_rounds(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_all(start_league(create_entrants()))
    monkeypatch.setattr(print_view, "MAX_PRINTED_MATCHES", 3)
    assert [one.number for one in read_print_view("night").rounds] == [2]
    assert "Rounds 1 to 1 are too many for paper" in printed(client)
