"""What the lists hold and where they lead, and what a page for our own faults may hold."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from bots import queries as bots_queries
from bots.models import BotVersion
from tests.support.browser.pages import text_of
from tests.support.factories import active_version
from tournaments import services
from tournaments.models import League
from tournaments.terms import Terms


def bots_in(page: str) -> list[str]:
    """The bots that a page's table links to, in order."""
    return re.findall(r'<th scope="row" class="name"><a href="/bots/([\w-]+)/"', page)


def single_match() -> League:
    """A league that is one match for an audience."""
    league = services.open_league(Terms(slug="alone", name="Show 7", game="pig", seats=2, rounds=1, season="2026"))
    for slug in ("s0", "s1"):
        services.enter_bot(league.pk, active_version(slug=slug))
    services.start(league.pk)
    return league


@pytest.mark.django_db
def test_bots_of_which_every_version_was_refused_are_not_listed(client: Client) -> None:
    refused, later = active_version(slug="refused"), active_version(slug="later-refused")
    BotVersion.objects.filter(pk=refused.pk).update(status="refused")
    BotVersion.objects.create(bot=later.bot, number=2, package=later.package, status="refused")
    page = text_of(client, "/bots/")
    assert bots_in(page) == ["later-refused"]
    assert "refused</span>" not in page


@pytest.mark.django_db
def test_bots_are_chosen_by_game_author_and_language(client: Client) -> None:
    ada = active_version(slug="ada")
    active_version(slug="bo", game="kings_court")
    assert bots_in(text_of(client, "/bots/?game=kings_court")) == ["bo"]
    assert bots_in(text_of(client, f"/bots/?author={ada.bot.owner}")) == ["ada"]
    assert bots_in(text_of(client, "/bots/?language=python")) == ["ada", "bo"]
    assert "No bot is like that" in text_of(client, "/bots/?language=c&game=pig")


@pytest.mark.django_db
def test_the_bots_go_on_by_a_cursor_and_keep_what_was_chosen(client: Client) -> None:
    names = [f"b{number:02}" for number in range(bots_queries.PAGE + 2)]
    for name in names:
        active_version(slug=name)
    page = text_of(client, "/bots/?game=pig")
    more = re.findall(r'rel="next" href="([^"]+)"', page)[0].replace("&amp;", "&")
    assert "game=pig" in more
    assert bots_in(page) + bots_in(text_of(client, f"/bots/{more}")) == names


@pytest.mark.django_db
def test_single_matches_stand_beside_the_leagues_and_not_among_them(client: Client) -> None:
    services.open_league(Terms(slug="autumn", name="Autumn", game="pig", seats=2, rounds=2, season="2026"))
    single_match()
    for path in ("/", "/leagues/"):
        page = text_of(client, path)
        assert "/leagues/autumn/" in page
        assert "/leagues/alone/" not in page
    assert "/leagues/alone/" in text_of(client, "/leagues/?single=yes")


@pytest.mark.slow
def test_a_match_leads_to_its_league_its_round_and_its_rules(night: League, client: Client) -> None:
    table = night.tables.get(round=2, number=1)
    page = text_of(client, f"/matches/{table.match_id}/")
    for address in ("/games/pig/", "/games/pig/#rules", "/leagues/night/", "/leagues/night/rounds/2/"):
        assert f'href="{address}"' in page
    assert f"/matches/{table.match_id}/" in text_of(client, "/leagues/night/rounds/2/")
    assert 'id="rules"' in text_of(client, "/games/pig/")


@pytest.mark.django_db
def test_a_league_says_under_what_it_is_played(client: Client) -> None:
    services.open_league(
        Terms(
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
    page = text_of(client, "/leagues/court/")
    said = dict(re.findall(r"<div><dt>([^<]+)</dt><dd>([^<]+)</dd></div>", page))
    assert said["Format"] == "Swiss"
    assert said["Table"] == "8 seats"
    assert said["Matches per table"] == "8, the seats turning"
    assert said["Clock"] == "1 s a move, 10 s in the bank; one choice every 0.5 s for those who watch"
    assert said["A match is worth"] == "1 to each winner"
    assert said["Options"] == "fake: true"


def test_the_page_for_our_own_faults_is_styled_and_leads_nowhere(client: Client) -> None:
    from django.template.loader import render_to_string

    page = render_to_string("500.html")
    assert "<a " not in page
    assert "<style" not in page
    styles = re.findall(r'rel="stylesheet" href="([^"]+)"', page)
    assert styles == ["/static/plain.css"]
    assert client.get(styles[0]).status_code == 200


@pytest.mark.django_db
def test_a_browser_finds_the_icon_wherever_it_looks(client: Client) -> None:
    answer = client.get("/favicon.ico", follow=True)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/svg+xml")


@pytest.mark.slow
@pytest.mark.django_db
def test_pages_say_write_a_bot_in_their_head_and_ended_for_what_is_over(night: League, client: Client) -> None:
    match = night.tables.all()[0].match_id
    home, league = text_of(client, "/"), text_of(client, "/leagues/night/")
    head = home[home.index("<nav") : home.index("</nav>")]
    assert "Write a bot</a>" in head
    assert "Recently ended" in home
    assert "Download the league (for <code>ftk verify</code>)" in league
    for page in (home, league, text_of(client, "/watch/"), text_of(client, f"/matches/{match}/")):
        assert not re.search(r"(?i)>closed<|just ended|ended lately", page)
