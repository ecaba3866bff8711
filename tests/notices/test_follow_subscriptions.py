"""Follows of bots, authors, leagues and games: buttons, notices, quota, feeds, export and erasure."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from bots.models import Bot, BotVersion
from bots.remote_bots import register_remote_bot
from ftk_core.league.league_facts import LeagueClosed
from ftk_core.league.league_state_from_events import encode_fact
from notices import follow_subscriptions, notice_preferences, tasks
from notices.follow_subscriptions import FollowedEntity, FollowRefusedError
from notices.follower_notices import notify_of_lost_leads
from notices.models import Follow
from notices.personal_data_export import export_notifications
from people.account_erasure import erase_person
from replays.event_stream_storage import EventAppender
from tests.support.browser.pages import fetch_text
from tests.support.factories import AuthorFactory
from tests.support.league_entries import add_newer_version, create_own_version, open_league
from tournaments.leagues import services
from tournaments.models import CourtRating, Entrant

pytestmark = pytest.mark.django_db
TITLE = "{http://www.w3.org/2005/Atom}entry/{http://www.w3.org/2005/Atom}title"


@pytest.fixture
def fan() -> User:
    person: User = AuthorFactory.create(username="fan")
    return person


def press(client: Client, kind: str, name: str, wish: str = "yes") -> Any:
    return client.post("/follow/", {"kind": kind, "name": name, "follow": wish}, follow=True)


def list_texts(person: User) -> set[str]:
    return {notice.text for notice in notice_preferences.list_notices(person)}


def list_titles(client: Client, path: str) -> list[str | None]:
    return [title.text for title in ET.fromstring(fetch_text(client, path)).findall(TITLE)]


@pytest.mark.slow
def test_pages_of_bots_authors_leagues_and_games_have_a_button_to_follow_and_unfollow(
    client: Client, fan: User
) -> None:
    ada = create_own_version()
    open_league()
    pages = {
        ("bot", "ada"): "/bots/ada/",
        ("author", "of-ada"): "/bots/?author=of-ada",
        ("league", "night"): "/leagues/night/",
        ("game", "pig"): "/games/pig/",
    }
    titles = {"night": "Night", "pig": "Pig"}
    for (_, name), path in pages.items():
        page = fetch_text(client, path)
        assert f"Sign in to follow <bdi>{titles.get(name, name)}</bdi>" in page
        assert f"?next={quote(path)}" in page
    client.force_login(fan)
    for (kind, name), path in pages.items():
        assert f"Follow <bdi>{titles.get(name, name)}</bdi></span></button>" in fetch_text(client, path)
        answer = press(client, kind, name)
        assert answer.redirect_chain == [(path, 302)]
        assert f"Unfollow <bdi>{titles.get(name, name)}</bdi></span></button>" in answer.content.decode()
    assert follow_subscriptions.list_followed(fan) == [
        FollowedEntity("author", "of-ada", "of-ada"),
        FollowedEntity("bot", "ada", "ada"),
        FollowedEntity("game", "pig", "Pig"),
        FollowedEntity("league", "night", "Night"),
    ]
    page = fetch_text(client, "/account/notices/")
    for feed in ("/bots/ada/feed.atom", "/bots/feed.atom?author=of-ada", "/games/pig/feed.atom"):
        assert f'href="{feed}"' in page
    for kind, name in pages:
        press(client, kind, name, "no")
    assert follow_subscriptions.list_followed(fan) == []
    assert ada.bot.owner.follows.count() == 0


@pytest.mark.slow
def test_following_an_unknown_bot_author_league_or_game_is_refused_with_the_reason(client: Client, fan: User) -> None:
    create_own_version()
    client.force_login(fan)
    for kind, name in (("bot", "eve"), ("author", "fan"), ("league", "day"), ("game", "chess"), ("club", "ada")):
        assert f"There is no {kind} “{name}” to follow" in press(client, kind, name).content.decode()
    assert not Follow.objects.exists()
    assert client.post("/follow/", {"kind": "game", "name": "pig"}).status_code == 400


def test_a_person_cannot_follow_more_than_200_bots_games_and_authors(fan: User) -> None:
    create_own_version()
    Follow.objects.bulk_create(
        Follow(person=fan, kind="bot", subject=f"b{n}") for n in range(follow_subscriptions.MAX_FOLLOWS_PER_PERSON - 1)
    )
    for _ in range(2):
        follow_subscriptions.follow(fan, "bot", "ada")
    with pytest.raises(FollowRefusedError, match="You follow 200 already"):
        follow_subscriptions.follow(fan, "game", "pig")
    assert fan.follows.count() == follow_subscriptions.MAX_FOLLOWS_PER_PERSON


@pytest.mark.slow
def test_followers_are_notified_of_new_bots_new_leagues_league_entries_and_wins(fan: User) -> None:
    ada, bo = create_own_version(), create_own_version("bo")
    for kind, name in (("bot", "ada"), ("game", "pig"), ("author", "of-ada")):
        follow_subscriptions.follow(fan, kind, name)
    league = open_league()
    follow_subscriptions.follow(fan, "league", "night")
    for version in (ada, bo):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    Entrant.objects.filter(name="ada-1").update(place=1, played=1)
    Entrant.objects.filter(name="bo-1").update(place=2)
    stream = EventAppender(league.stream_id)
    stream.append([encode_fact(LeagueClosed(secret=""))], stream.length)
    tasks.sweep()
    tasks.sweep()
    assert sorted(notice.text for notice in notice_preferences.list_notices(fan)) == [
        "Night began.",
        "Night ended. First place: ada-1.",
        "Night is open for entries.",
        "ada-1 entered Night.",
        "ada-1 won Night.",
        "of-ada has a new bot: ada.",
    ]
    assert list_texts(bo.bot.owner) == {"bo 1 passed its trial.", "Night began."}


@pytest.mark.slow
def test_followers_are_notified_of_a_winner_without_a_match_in_the_last_stage(fan: User) -> None:
    league = open_league()
    follow_subscriptions.follow(fan, "league", "night")
    for slug in ("ada", "bo", "cy"):
        services.enter_bot(league.pk, create_own_version(slug))
    services.start(league.pk)
    Entrant.objects.filter(name="ada-1").update(place=1, played=0)
    Entrant.objects.exclude(name="ada-1").update(place=2, played=1)
    stream = EventAppender(league.stream_id)
    stream.append([encode_fact(LeagueClosed(secret=""))], stream.length)
    tasks.sweep()
    assert "Night ended. First place: ada-1." in list_texts(fan)


@pytest.mark.slow
def test_followers_of_a_bot_learn_at_most_once_a_day_that_the_bot_lost_the_lead_of_a_ladder(fan: User) -> None:
    ada, bo = create_own_version(), create_own_version("bo")
    for name in ("ada", "bo"):
        follow_subscriptions.follow(fan, "bot", name)
    ratings = [
        CourtRating.objects.create(
            bot=version.bot, game="pig", version=1, value=value, low=0, high=0, provisional=False
        )
        for version, value in ((ada, 200), (bo, 100))
    ]
    tasks.sweep()
    assert list_texts(fan) == set(), "the first leader has lost nothing"
    for _ in range(3):
        ratings[0].value, ratings[1].value = ratings[1].value, ratings[0].value
        CourtRating.objects.bulk_update(ratings, ["value"])
        tasks.sweep()
        tasks.sweep()
    texts = [notice.text for notice in notice_preferences.list_notices(fan)]
    assert sorted(texts) == [
        "ada lost the first place of the Pig ladder to bo.",
        "bo lost the first place of the Pig ladder to ada.",
    ]
    assert {notice.link for notice in notice_preferences.list_notices(fan)} == {"/leaderboards/pig/"}
    CourtRating.objects.filter(bot=ada.bot).update(value=300)
    notify_of_lost_leads(timezone.now() + timedelta(days=1))
    assert [notice.text for notice in notice_preferences.list_notices(fan)].count(texts[0]) == 2


def test_followers_of_an_author_are_notified_only_of_the_first_accepted_version_of_each_bot(fan: User) -> None:
    ada = create_own_version()
    BotVersion.objects.filter(pk=ada.pk).update(status="refused", reason="late")
    create_own_version("zoe", owner=ada.bot.owner)
    follow_subscriptions.follow(fan, "author", "of-ada")
    second = add_newer_version(ada)
    tasks.sweep()
    BotVersion.objects.create(bot=second.bot, number=3, package=second.package, status="active")
    tasks.sweep()
    assert [notice.text for notice in notice_preferences.list_notices(fan) if "ada." in notice.text] == [
        "of-ada has a new bot: ada."
    ]


def test_a_new_remote_bot_is_announced_to_followers_but_its_author_gets_no_notice_of_a_trial(fan: User) -> None:
    author = create_own_version().bot.owner
    follow_subscriptions.follow(fan, "author", "of-ada")
    tasks.sweep()
    before = list_texts(author)
    register_remote_bot(author, "pig", "afar")
    tasks.sweep()
    assert "of-ada has a new bot: afar." in list_texts(fan)
    assert list_texts(author) == before


def test_a_follower_who_turned_a_kind_of_notice_off_gets_none_of_that_kind(fan: User) -> None:
    follow_subscriptions.follow(fan, "game", "pig")
    notice_preferences.set_preference(fan, "followed-game", web=False, mail=False)
    open_league()
    tasks.sweep()
    assert list_texts(fan) == set()


@pytest.mark.slow
def test_each_game_has_an_atom_feed_of_leagues_and_each_author_has_an_atom_feed_of_new_bots(client: Client) -> None:
    create_own_version()
    create_own_version("bo")
    open_league()
    assert list_titles(client, "/games/pig/feed.atom") == ["Night"]
    assert list_titles(client, "/bots/feed.atom?author=of-bo") == ["of-bo has a new bot: bo."]
    assert list_titles(client, "/bots/feed.atom") == ["of-bo has a new bot: bo.", "of-ada has a new bot: ada."]
    assert list_titles(client, "/bots/ada/feed.atom") == []
    assert [client.get(f"/{path}/feed.atom").status_code for path in ("games/chess", "bots/eve")] == [404, 404]


def test_follows_are_exported_and_end_when_the_follower_or_followed_author_is_erased(fan: User) -> None:
    owner = create_own_version().bot.owner
    follow_subscriptions.follow(fan, "author", "of-ada")
    follow_subscriptions.follow(fan, "bot", "ada")
    follow_subscriptions.follow(owner, "game", "pig")
    (exported,) = [body for name, body in export_notifications(fan) if name == "follows.json"]
    assert [(row["kind"], row["subject"]) for row in json.loads(exported)] == [
        ("author", str(owner.pk)),
        ("bot", "ada"),
    ]
    erase_person(owner)
    assert list(Follow.objects.values_list("person", "kind")) == [(fan.pk, "bot")]
    erase_person(fan)
    assert not Follow.objects.exists()
    assert Bot.objects.filter(slug="ada").exists()
