"""Lists of bots, leagues and matches, and the page for error 500."""

from __future__ import annotations

import re

import httpx
import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from bots import queries as bots_queries
from bots.models import BotVersion
from tests.support.browser.pages import fetch_text
from tests.support.factories import create_active_version
from tests.support.served import serve
from tournaments.leagues import services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League


def bots_in(page: str) -> list[str]:
    """Return the bots to which the table of a page links, in order."""
    return re.findall(r'<th scope="row" class="name"><a href="/bots/([\w-]+)/"', page)


def single_match() -> League:
    """Create a league of one match, which spectators see as a single match."""
    league = services.open_league(
        LeagueSettings(slug="alone", name="Show 7", game="pig", seats=2, rounds=1, season="2026")
    )
    for slug in ("s0", "s1"):
        services.enter_bot(league.pk, create_active_version(slug=slug))
    services.start(league.pk)
    return league


@pytest.mark.django_db
def test_bots_without_an_accepted_version_are_not_listed(client: Client) -> None:
    refused, later = create_active_version(slug="refused"), create_active_version(slug="later-refused")
    BotVersion.objects.filter(pk=refused.pk).update(status="refused")
    BotVersion.objects.create(bot=later.bot, number=2, package=later.package, status="refused")
    page = fetch_text(client, "/bots/")
    assert bots_in(page) == ["later-refused"]
    assert "refused</span>" not in page


@pytest.mark.django_db
def test_bots_can_be_filtered_by_game_author_and_language(client: Client) -> None:
    ada = create_active_version(slug="ada")
    create_active_version(slug="bo", game="kings_court")
    assert bots_in(fetch_text(client, "/bots/?game=kings_court")) == ["bo"]
    assert bots_in(fetch_text(client, f"/bots/?author={ada.bot.owner}")) == ["ada"]
    assert bots_in(fetch_text(client, "/bots/?language=python")) == ["ada", "bo"]
    assert "No bot is like that" in fetch_text(client, "/bots/?language=c&game=pig")


@pytest.mark.django_db
def test_the_language_filter_finds_bots_whose_newest_version_is_resting(client: Client) -> None:
    BotVersion.objects.filter(pk=create_active_version(slug="ada").pk).update(status="resting")
    assert bots_in(fetch_text(client, "/bots/?language=python")) == ["ada"]


@pytest.mark.slow
@pytest.mark.django_db
def test_the_list_of_bots_is_paged_and_keeps_its_filters(client: Client) -> None:
    names = [f"b{number:02}" for number in range(bots_queries.PAGE_SIZE + 2)]
    for name in names:
        create_active_version(slug=name)
    page = fetch_text(client, "/bots/?game=pig")
    more = re.findall(r'rel="next" href="([^"]+)"', page)[0].replace("&amp;", "&")
    assert "game=pig" in more
    assert bots_in(page) + bots_in(fetch_text(client, f"/bots/{more}")) == names


@pytest.mark.slow
@pytest.mark.django_db
def test_matches_outside_leagues_are_listed_separately_from_leagues(client: Client) -> None:
    services.open_league(LeagueSettings(slug="autumn", name="Autumn", game="pig", seats=2, rounds=2, season="2026"))
    single_match()
    for path in ("/", "/leagues/"):
        page = fetch_text(client, path)
        assert "/leagues/autumn/" in page
        assert "/leagues/alone/" not in page
    assert "/leagues/alone/" in fetch_text(client, "/leagues/?single=yes")


@pytest.mark.slow
def test_a_match_links_to_its_league_round_and_rules(night: League, client: Client) -> None:
    table = night.tables.get(round=2, number=1)
    page = fetch_text(client, f"/matches/{table.match_id}/")
    for address in ("/games/pig/", "/games/pig/#rules", "/leagues/night/", "/leagues/night/rounds/2/"):
        assert f'href="{address}"' in page
    assert f"/matches/{table.match_id}/" in fetch_text(client, "/leagues/night/rounds/2/")
    assert 'id="rules"' in fetch_text(client, "/games/pig/")


@pytest.mark.django_db
def test_the_page_of_a_league_shows_the_settings_of_the_league(client: Client) -> None:
    services.open_league(
        LeagueSettings(
            slug="court",
            name="Court",
            game="kings_court",
            seats=8,
            rounds=3,
            games=8,
            options='{"fake": true}',
            pace_ms=500,
            season="2026",
        )
    )
    page = fetch_text(client, "/leagues/court/")
    said = dict(re.findall(r"<div><dt>([^<]+)</dt><dd>([^<]+)</dd></div>", page))
    assert said["Format"] == "Swiss"
    assert said["Table"] == "8 seats"
    assert said["Matches per table"] == "8, the seats turning"
    assert said["Clock"] == "1 s a move, 10 s in the bank; one choice every 0.5 s for those who watch"
    assert said["A match is worth"] == "1 to each winner"
    assert said["Options"] == "fake: true"


def test_the_500_page_is_styled_and_has_no_links() -> None:
    from django.template.loader import render_to_string

    page = render_to_string("500.html")
    assert "<a " not in page
    assert "<style" not in page
    styles = re.findall(r'rel="stylesheet" href="([^"]+)"', page)
    assert styles == ["/static/plain.css"]
    assert finders.find("plain.css")


@pytest.mark.django_db(transaction=True)
def test_the_favicon_is_served_at_all_usual_addresses() -> None:
    with serve() as web:
        answer = httpx.get(f"{web.address}/favicon.ico", follow_redirects=True)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/svg+xml")


@pytest.mark.slow
@pytest.mark.django_db
def test_pages_use_the_word_ended_for_finished_leagues_and_link_to_the_page_about_writing_a_bot(
    night: League, client: Client
) -> None:
    match = night.tables.all()[0].match_id
    home, league = fetch_text(client, "/"), fetch_text(client, "/leagues/night/")
    head = home[home.index("<nav") : home.index("</nav>")]
    assert "Write a bot</a>" in head
    assert "Recently ended" in home
    assert "Download the league (for <code>ftk verify</code>)" in league
    for page in (home, league, fetch_text(client, "/watch/"), fetch_text(client, f"/matches/{match}/")):
        assert not re.search(r"(?i)>closed<|just ended|ended lately", page)
