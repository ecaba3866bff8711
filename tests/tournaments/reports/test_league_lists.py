"""Lists of leagues with winners, dates and filters, and the page of a league before its first round."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from replays.models import Match
from tests.support.browser.pages import fetch_text
from tests.support.factories import create_active_version
from tests.support.league_entries import open_league
from tests.support.leagues import start_league
from tournaments.leagues import services
from tournaments.models import CourtRating, Entrant, League
from tournaments.reports.league_lists import LeagueFilter, list_leagues_from

pytestmark = pytest.mark.django_db
BEGUN, ENDED = datetime(2026, 11, 20, 19, 0, tzinfo=UTC), datetime(2026, 11, 20, 21, 30, tzinfo=UTC)


def leagues_in(page: str) -> list[str]:
    """Return the leagues to which the cards of a page link, in order."""
    return re.findall(r'class="cover" href="/leagues/([\w-]+)/"', page)


def finish(league: League, **fields: Any) -> None:
    """Close a league with bot ``b1`` in the first place."""
    Entrant.objects.filter(league=league).update(place=2, played=2)
    Entrant.objects.filter(league=league, version__bot__slug="b1").update(place=1)
    Match.objects.filter(table__league=league).update(status="closed", opened_at=BEGUN, closed_at=ENDED)
    League.objects.filter(pk=league.pk).update(status="closed", **fields)


def test_the_list_of_leagues_shows_winner_and_dates_of_a_finished_league(client: Client) -> None:
    versions = [create_active_version(slug=f"b{number}") for number in range(4)]
    finish(start_league(versions, slug="cup"))
    start_league(versions, slug="running")
    running, cup = list_leagues_from("").cards
    assert (cup.winners, cup.begun_at, cup.ended_at) == (("b1-1",), BEGUN, ENDED)
    assert (running.winners, running.ended_at, running.entries) == ((), None, 4)
    page = fetch_text(client, "/leagues/")
    assert "Won by <bdi>b1-1</bdi>" in page
    assert page.count("Won by") == 1
    assert page.count(f'datetime="{ENDED.isoformat()}"') == 1


def test_the_list_of_leagues_shows_the_winner_even_if_it_played_no_match_in_the_last_stage(client: Client) -> None:
    league = start_league([create_active_version(slug=f"b{number}") for number in range(4)], slug="cup")
    finish(league, round=2)
    Entrant.objects.filter(league=league, version__bot__slug="b1").update(played=0)
    assert list_leagues_from("").cards[0].winners == ("b1-1",)


def test_the_list_of_leagues_shows_no_winner_of_a_league_that_ended_without_a_result(client: Client) -> None:
    league = start_league([create_active_version(slug=f"b{number}") for number in range(4)], slug="cup")
    finish(league)
    Entrant.objects.filter(league=league).update(place=1, played=0)
    assert list_leagues_from("").cards[0].winners == ()


def test_the_list_of_leagues_can_be_filtered_by_game_by_state_and_by_part_of_the_name(client: Client) -> None:
    open_league(slug="autumn", name="Autumn Cup")
    open_league(slug="spring", name="Spring 100% cup", game="kings_court", seats=6)
    finish(open_league(slug="old", name="Old league"))
    finish(open_league(slug="never", name="Never played"), cancelled="nobody came")
    for query, expected in {
        "game=kings_court": ["spring"],
        "state=open": ["spring", "autumn"],
        "state=closed": ["old"],
        "state=cancelled": ["never"],
        "state=running": [],
        "text=CUP": ["spring", "autumn"],
        "text=100%25": ["spring"],
        "text=cup&game=pig&state=open": ["autumn"],
        "state=lost": [],
    }.items():
        page = fetch_text(client, f"/leagues/?{query}")
        assert leagues_in(page) == expected, query
        assert ("No league matches this filter." in page) == (not expected)


@pytest.mark.slow
def test_the_next_page_of_a_filtered_list_of_leagues_keeps_the_filters(client: Client) -> None:
    for number in range(33):
        open_league(slug=f"cup-{number}", name=f"Cup {number}")
    open_league(slug="other", name="Other")
    page = fetch_text(client, "/leagues/?text=cup&state=open")
    more = re.findall(r'rel="next" href="([^"]+)"', page)[0].replace("&amp;", "&")
    assert "text=cup" in more
    assert "state=open" in more
    found = leagues_in(page) + leagues_in(fetch_text(client, f"/leagues/{more}"))
    assert found == [f"cup-{number}" for number in reversed(range(33))]
    assert list_leagues_from("", wanted=LeagueFilter(text="cup")).after


def test_the_page_of_a_league_before_its_first_round_describes_its_schedule_and_terms_in_sentences(
    client: Client,
) -> None:
    begins = timezone.now() + timedelta(hours=5)
    league = open_league(rounds=3, per_author=2, entries_until=begins, tiebreaks=("wins", "lots"))
    page = fetch_text(client, "/leagues/night/")
    for sentence in (
        "What will happen",
        f'It begins on <time datetime="{begins:%Y-%m-%dT%H:%M}',
        "Swiss: 3 rounds.",
        "It is open to anybody.",
        "An author enters 2 bots at most.",
        "Ties are broken by the first of these that differs: ",
    ):
        assert sentence in page
    assert "Forecast for the entries so far" not in page, "two seats are not filled yet"
    for slug in ("ada", "bo", "cy", "dot"):
        services.enter_bot(league.pk, create_active_version(slug=slug))
    assert "Forecast for the entries so far: About 3 minutes on one worker." in fetch_text(client, "/leagues/night/")
    services.start(league.pk)
    assert "What will happen" not in fetch_text(client, "/leagues/night/")


def test_no_duration_is_forecast_while_the_number_of_entries_decides_the_number_of_rounds(client: Client) -> None:
    league = open_league(format="round_robin", rounds=0)
    for slug in ("ada", "bo", "cy", "dot"):
        services.enter_bot(league.pk, create_active_version(slug=slug))
    page = fetch_text(client, "/leagues/night/")
    assert "the number of entries decides the number of rounds" in page
    assert "Forecast for the entries so far" not in page


def test_the_page_of_a_league_without_entry_deadline_says_that_an_organiser_will_begin_it(client: Client) -> None:
    open_league()
    assert "It begins when an organiser begins it." in fetch_text(client, "/leagues/night/")


def test_the_list_of_bots_shows_their_court_ratings(client: Client) -> None:
    ada, _ = create_active_version(slug="ada"), create_active_version(slug="bo")
    CourtRating.objects.create(
        bot=ada.bot, game="pig", version=1, value=161_240, low=150_000, high=170_000, provisional=False
    )
    rows = re.findall(r'href="/bots/(\w+)/".*?<td class="num strong">(.*?)</td>', fetch_text(client, "/bots/"))
    assert rows == [("ada", "1612"), ("bo", "–")]
