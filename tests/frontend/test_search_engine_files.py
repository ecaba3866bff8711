"""robots.txt and the sitemaps: all public pages, and no other."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from bots.models import Bot, BotVersion
from frontend.pages.service import search_engine_files
from ftk_core.games import list_games
from replays.models import Match
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.league_entries import open_league

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    cache.clear()


@pytest.fixture
def version() -> BotVersion:
    return create_active_version(slug="ada")


def read_sitemap(client: Client, path: str) -> list[str]:
    """Return the paths in a sitemap."""
    answer = client.get(path)
    assert (answer.status_code, answer["Content-Type"]) == (HTTPStatus.OK, "application/xml")
    urls = re.findall(r"<loc>http://testserver([^<]+)</loc>", answer.content.decode())
    assert len(urls) == answer.content.count(b"<loc>")
    return urls


def read_all(client: Client) -> list[str]:
    """Return the paths in all sitemaps that the index names."""
    return [path for sitemap in read_sitemap(client, "/sitemap.xml") for path in read_sitemap(client, sitemap)]


def end_match(version: BotVersion, **columns: Any) -> str:
    """Return the id of a match that has ended."""
    match = create_waiting_match([version, version])
    Match.objects.filter(pk=match.pk).update(**{"status": "closed", "closed_at": timezone.now()} | columns)
    return str(match.pk)


def test_the_sitemaps_have_all_leagues_games_bots_and_released_matches(client: Client, version: BotVersion) -> None:
    open_league()
    match = end_match(version)
    games = {f"/games/{name}/" for name in list_games()} | {f"/leaderboards/{name}/" for name in list_games()}
    paths = read_all(client)
    assert games | {"/", "/leagues/", "/bots/", "/leagues/night/", "/bots/ada/", f"/matches/{match}/"} <= set(paths)
    assert len(paths) == len(set(paths))


def test_the_sitemaps_have_no_running_or_unreleased_match_and_no_person_or_refused_bot(
    client: Client, version: BotVersion
) -> None:
    hidden = [end_match(version, released=False), end_match(version, status="playing", closed_at=None)]
    person, refused = create_active_version(slug="paula"), create_active_version(slug="rita")
    Bot.objects.filter(pk=person.bot_id).update(kind=Bot.Kind.PERSON)
    BotVersion.objects.filter(pk=refused.pk).update(status=BotVersion.Status.REFUSED)
    unlisted = {"/bots/paula/", "/bots/rita/", *(f"/matches/{match}/" for match in hidden)}
    assert unlisted & set(read_all(client)) == set()


@pytest.mark.slow
def test_every_address_in_the_sitemaps_is_a_public_page_that_robots_txt_allows(
    client: Client, version: BotVersion
) -> None:
    open_league()
    end_match(version)
    closed = [re.escape(path).replace(r"\*", ".*") for path in search_engine_files.CLOSED_TO_CRAWLERS]
    for path in read_all(client):
        assert client.get(path).status_code == HTTPStatus.OK, path
        assert not [rule for rule in closed if re.match(rule, path)], path


def test_only_the_newest_matches_are_in_the_sitemap(
    client: Client, version: BotVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [end_match(version) for _ in range(3)]
    monkeypatch.setattr(search_engine_files, "MAX_MATCHES", 2)
    assert read_sitemap(client, "/sitemap-matches.xml") == [f"/matches/{match}/" for match in (matches[2], matches[1])]


def test_a_sitemap_with_too_many_addresses_is_split_into_pages_that_the_index_lists(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for slug in ("ada", "bob", "cleo"):
        create_active_version(slug=slug)
    monkeypatch.setattr(search_engine_files.BotSitemap, "limit", 2)
    pages = [path for path in read_sitemap(client, "/sitemap.xml") if "bots" in path]
    assert pages == ["/sitemap-bots.xml", "/sitemap-bots.xml?p=2"]
    assert [read_sitemap(client, page) for page in pages] == [["/bots/cleo/", "/bots/bob/"], ["/bots/ada/"]]
    assert search_engine_files.LeagueSitemap.limit == 50_000


@pytest.mark.parametrize(
    "path",
    [
        "/sitemap-nothing.xml",
        "/sitemap-games.xml?p=2",
        "/sitemap-games.xml?p=x",
        "/sitemap-games.xml?p=01",
        "/sitemap-games.xml?p=1&utm_source=a",
        "/sitemap.xml?utm_source=a",
    ],
)
def test_an_unknown_or_misspelt_sitemap_url_is_404(client: Client, path: str) -> None:
    assert client.get(path).status_code == HTTPStatus.NOT_FOUND


def test_a_sitemap_is_cached_for_an_hour(client: Client, version: BotVersion) -> None:
    before = client.get("/sitemap-bots.xml")
    assert before["Cache-Control"] == "max-age=3600"
    assert f"/bots/{version.bot.slug}/" in before.content.decode()
    Bot.objects.filter(pk=version.bot_id).update(kind=Bot.Kind.PERSON)
    assert client.get("/sitemap-bots.xml").content == before.content


def test_robots_txt_disallows_pages_that_need_an_account_and_names_the_sitemap(client: Client) -> None:
    answer = client.get("/robots.txt", headers={"host": "127.0.0.1:8123"})
    lines = answer.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert "Sitemap: http://127.0.0.1:8123/sitemap.xml" in lines
    for private in ("/account/", "/staff/", "/invitations/", "/leagues/*/desk/"):
        assert f"Disallow: {private}" in lines
    sitemap = next(urlsplit(line.removeprefix("Sitemap: ")).path for line in lines if line.startswith("Sitemap"))
    assert client.get(sitemap).status_code == HTTPStatus.OK
