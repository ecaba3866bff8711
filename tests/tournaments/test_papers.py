"""A league can be printed: one page with all that is public of it, and nothing else."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support.bench.leagues import large_league
from tests.support.leagues import entrants, new_league, play_all
from tournaments import papers
from tournaments.league_queries import list_standings
from tournaments.models import League
from tournaments.papers import read_paper
from tournaments.projections import load

pytestmark = pytest.mark.django_db(transaction=True)
BYTES = 1_500_000


def printed(client: Client, slug: str = "night") -> str:
    answer = client.get(f"/leagues/{slug}/print/")
    assert answer.status_code == 200
    return unescape(re.sub(r"<[^>]+>|\s+", " ", answer.content.decode()))


@pytest.mark.slow
def test_a_league_is_printed_with_standings_cross_table_and_every_result(client: Client) -> None:
    play_all(new_league(entrants()))
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


def test_what_is_printed_has_no_navigation_no_script_and_no_secret(client: Client) -> None:
    league = new_league(entrants())
    body = client.get("/leagues/night/print/").content.decode()
    assert "<nav" not in body
    assert "<script" not in body
    assert "style=" not in body
    assert bytes(league.secret).hex() not in body


def test_a_match_that_is_still_to_be_played_is_printed_as_paired(client: Client) -> None:
    new_league(entrants())
    paper = read_paper("night")
    assert [seat.place for one in paper.rounds for match in one.matches for seat in match.seats] == [None] * 4
    assert paper.cross is None
    assert "Round 1" in printed(client)


@pytest.mark.slow
def test_a_league_of_a_thousand_is_printed_with_few_questions_and_no_cross_table(client: Client) -> None:
    large_league(1000, 4, 3)
    with CaptureQueriesContext(connection) as asked:
        text = printed(client, "l1000")
    assert len(asked) < 60
    assert len(text) < BYTES
    assert "Cross table" not in text
    assert len(read_paper("l1000").rounds[0].matches) == 500


@pytest.mark.slow
def test_of_too_many_matches_the_newest_rounds_are_printed(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    play_all(new_league(entrants()))
    monkeypatch.setattr(papers, "MATCHES", 3)
    assert [one.number for one in read_paper("night").rounds] == [2]
    assert "Rounds 1 to 1 are too many for paper" in printed(client)


def test_a_league_that_is_not_there_is_not_printed(client: Client) -> None:
    assert client.get("/leagues/nosuch/print/").status_code == 404
