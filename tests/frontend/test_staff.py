"""`/staff/` is there for staff alone; it shows what is, changes nothing by itself, and keeps every act."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from bots.models import Bot, BotVersion
from bots.quotas import quota_of
from bots.scopes import CEILING
from frontend.staff import POLICY, SITE
from people.models import StaffAct
from people.roles import is_organiser
from tests.support.factories import AuthorFactory, active_version
from tests.support.leagues import entrants, new_league
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)
LISTS = [f"/staff/{model._meta.app_label}/{model._meta.model_name}/" for model in SITE._registry]


@pytest.fixture
def staff(client: Client) -> User:
    person: User = AuthorFactory.create(username="stella", is_staff=True)
    client.force_login(person)
    return person


def inside() -> list[str]:
    """Return the addresses of the site for staff, each filled in."""
    site = next(e for e in get_resolver().url_patterns if isinstance(e, URLResolver) and str(e.pattern) == "staff/")

    def walk(entries: list[Any], before: str) -> list[str]:
        found = []
        for entry in entries:
            path = before + str(entry.pattern).replace("<path:object_id>", "1").replace("<path:object_id>", "1")
            found += [path] if isinstance(entry, URLPattern) else walk(entry.url_patterns, path)
        return found

    plain = [path for path in walk(site.url_patterns, "/staff/") if "<" not in path and "(" not in path]
    return [path for path in plain if path.split("/")[2] not in {"login", "logout", "password_change"}]


@pytest.mark.slow
def test_every_address_is_there_for_staff_alone(client: Client) -> None:
    paths = inside()
    assert len(paths) > 40
    for path in paths:
        for ask in (client.get, client.post):
            answer = ask(path)
            assert (answer.status_code, answer["Location"]) == (302, f"/sign-in/?next={path}"), path
    client.force_login(AuthorFactory.create(username="ada"))
    assert {ask(path).status_code for path in paths for ask in (client.get, client.post)} == {404}
    client.force_login(AuthorFactory.create(username="gone", is_staff=True, is_active=False))
    assert {client.get(path).status_code for path in paths} == {302}


def test_a_session_that_began_with_an_authors_token_is_no_staff(client: Client, staff: User) -> None:
    session = client.session
    session[CEILING] = ["upload", "enter"]
    session.save()
    assert client.get("/staff/").status_code == 403


def test_signing_in_and_out_is_the_sites_own(client: Client) -> None:
    assert client.get("/staff/login/")["Location"] == "/sign-in/"
    assert client.get("/staff/logout/")["Location"] == "/sign-out/"
    assert client.get("/staff/password_change/")["Location"] == "/account/password/"


@pytest.mark.slow
@pytest.mark.parametrize("path", LISTS)
def test_staff_sees_lists_and_rows_and_finds_them_but_adds_and_deletes_nothing(
    client: Client, staff: User, path: str
) -> None:
    new_league(entrants())
    assert client.get(path).status_code == 200
    assert client.get(path, {"q": "b0"}).status_code == 200
    assert client.get(f"{path}add/").status_code == 403
    assert client.post(f"{path}1/delete/", {"post": "yes"}).status_code in {302, 403}


def test_a_league_is_shown_without_its_secret_and_cannot_be_changed(client: Client, staff: User) -> None:
    league = new_league(entrants())
    page = client.get(f"/staff/tournaments/league/{league.pk}/change/")
    assert page.status_code == 200
    assert bytes(league.secret).hex() not in page.content.decode()
    assert client.post(f"/staff/tournaments/league/{league.pk}/change/", {"name": "Mine"}).status_code == 403
    assert League.objects.get().name == "Night"


def test_no_account_shows_its_password(client: Client, staff: User) -> None:
    ada = User.objects.create_user("ada", "ada@example.com", "a long enough one")
    page = client.get(f"/staff/auth/user/{ada.pk}/change/").content.decode()
    assert "ada@example.com" in page
    assert "pbkdf2" not in page
    assert ada.password not in page


def do(client: Client, path: str, act: str, row: Any, **said: str) -> str:
    sent = {"action": act, "_selected_action": str(row.pk), "index": "0", **said}
    return client.post(path, sent, follow=True).content.decode()


def test_staff_bans_a_bot_with_a_reason_and_the_act_is_kept_with_its_address(client: Client, staff: User) -> None:
    new_league(entrants())
    bot = Bot.objects.get(slug="b0")
    assert "say why" in do(client, "/staff/bots/bot/", "ban", bot)
    assert "b0 is banned" in do(client, "/staff/bots/bot/", "ban", bot, why="it cheats")
    assert Bot.objects.get(slug="b0").banned == "it cheats"
    assert League.objects.get().entrants.get(number=1).withdrawn
    act = StaffAct.objects.get()
    assert (act.by, act.what, act.on, act.why, act.address) == (staff, "ban", "bot b0", "it cheats", "127.0.0.1")
    assert "it cheats" in client.get("/staff/people/staffact/", {"q": bot.owner.get_username()}).content.decode()
    assert "may play again" in do(client, "/staff/bots/bot/", "lift", bot, why="it was a mistake")


@pytest.mark.slow
def test_staff_bans_and_lifts_authors_sets_quotas_and_gives_and_takes_the_organisers_role(
    client: Client, staff: User
) -> None:
    ada, people = AuthorFactory.create(username="ada"), "/staff/auth/user/"
    assert "ada is banned" in do(client, people, "ban", ada, why="spam")
    assert not User.objects.get(username="ada").is_active
    assert "may play again" in do(client, people, "lift", ada, why="sorry")
    assert "has these quotas" in do(client, people, "give_quota", ada, why="a class", uploads="7")
    assert quota_of(ada).uploads == 7
    assert "must be a whole number" in do(client, people, "give_quota", ada, why="a class", uploads="many")
    assert "is an organiser" in do(client, people, "appoint", ada, why="she asked")
    assert is_organiser(ada)
    assert "is no organiser any more" in do(client, people, "dismiss", ada, why="she asked")
    assert not is_organiser(User.objects.get(username="ada"))
    assert "ada: ada is no organiser" in do(client, people, "dismiss", ada, why="she asked")
    kept = list(StaffAct.objects.order_by("pk").values_list("what", flat=True))
    assert kept == ["ban", "lift", "quota", "appoint", "dismiss"]


def test_staff_retires_a_version_once(client: Client, staff: User) -> None:
    version = active_version(slug="one")
    assert "is retired" in do(client, "/staff/bots/botversion/", "retire", version, why="it leaks")
    version.refresh_from_db()
    assert (version.status, version.reason) == (BotVersion.Status.RETIRED, "retired: it leaks")
    assert "only active versions" in do(client, "/staff/bots/botversion/", "retire", version, why="it leaks")


def test_only_staffs_pages_have_the_looser_policy(client: Client, staff: User) -> None:
    there, elsewhere = (client.get(path)["Content-Security-Policy"] for path in ("/staff/", "/"))
    assert "unsafe-eval" in there
    assert "unsafe" not in elsewhere
    assert "default-src 'none'" in there
    assert set(POLICY) == {"script-src", "style-src"}
