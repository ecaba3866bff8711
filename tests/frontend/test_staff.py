"""Staff pages: access for staff only, read-only tables, and a log of every act."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.utils import quote
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from bots.api.token_scope_permissions import SESSION_SCOPES_KEY
from bots.author_quotas import quota_of
from bots.models import Bot, BotVersion
from foundation.branding.models import Brand
from frontend.staff_pages import STAFF_CSP, STAFF_SITE
from people.models import StaffAct
from people.person_roles import is_organiser
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.leagues import create_entrants, start_league
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)
READ_ONLY = [model for model in STAFF_SITE._registry if model is not Brand]
LISTS = [f"/staff/{model._meta.app_label}/{model._meta.model_name}/" for model in READ_ONLY]


@pytest.fixture
def staff(client: Client) -> User:
    person: User = AuthorFactory.create(username="stella", is_staff=True)
    client.force_login(person)
    return person


def inside() -> list[str]:
    """Return the URLs of the staff pages for the stored objects."""
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
def test_only_staff_can_open_the_staff_pages(client: Client) -> None:
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


def test_a_session_opened_with_a_token_has_no_access_to_staff_pages(client: Client, staff: User) -> None:
    session = client.session
    session[SESSION_SCOPES_KEY] = ["upload", "enter"]
    session.save()
    assert client.get("/staff/").status_code == 403


def test_staff_pages_redirect_to_the_sign_in_page_of_the_site(client: Client) -> None:
    assert client.get("/staff/login/")["Location"] == "/sign-in/"
    assert client.get("/staff/logout/")["Location"] == "/sign-out/"
    assert client.get("/staff/password_change/")["Location"] == "/account/password/"


@pytest.mark.slow
@pytest.mark.parametrize("path", LISTS)
def test_staff_pages_allow_listing_and_searching_but_neither_adding_nor_deleting(
    client: Client, staff: User, path: str
) -> None:
    start_league(create_entrants())
    assert client.get(path).status_code == 200
    assert client.get(path, {"q": "b0"}).status_code == 200
    assert client.get(f"{path}add/").status_code == 403
    rows = apps.get_model(*path.split("/")[2:4])._default_manager.all()
    for key in (*(quote(row.pk) for row in rows), "1"):
        assert client.post(f"{path}{key}/delete/", {"post": "yes"}).status_code == 403


@pytest.mark.slow
def test_staff_can_read_a_league_without_its_secret_and_cannot_edit_it(client: Client, staff: User) -> None:
    league = start_league(create_entrants())
    page = client.get(f"/staff/tournaments/league/{league.pk}/change/")
    assert page.status_code == 200
    assert bytes(league.secret).hex() not in page.content.decode()
    assert client.post(f"/staff/tournaments/league/{league.pk}/change/", {"name": "Mine"}).status_code == 403
    assert League.objects.get().name == "Night"


def test_staff_pages_show_no_password(client: Client, staff: User) -> None:
    ada = User.objects.create_user("ada", "ada@example.com", "a long enough one")
    page = client.get(f"/staff/auth/user/{ada.pk}/change/").content.decode()
    assert "ada@example.com" in page
    assert "pbkdf2" not in page
    assert ada.password not in page


def do(client: Client, path: str, act: str, row: Any, **said: str) -> str:
    sent = {"action": act, "_selected_action": str(row.pk), "index": "0", **said}
    return client.post(path, sent, follow=True).content.decode()


@pytest.mark.slow
def test_a_ban_by_staff_needs_a_reason_and_is_logged_with_the_reason_and_the_ip_address(
    client: Client, staff: User
) -> None:
    start_league(create_entrants())
    bot = Bot.objects.get(slug="b0")
    assert "say why" in do(client, "/staff/bots/bot/", "ban", bot)
    assert "b0 is banned" in do(client, "/staff/bots/bot/", "ban", bot, why="it cheats")
    assert Bot.objects.get(slug="b0").banned == "it cheats"
    assert League.objects.get().entrants.get(number=1).withdrawn
    act = StaffAct.objects.get()
    assert (act.by, act.what, act.on, act.why, act.address) == (staff, "ban", "bot b0", "it cheats", "127.0.0.1")
    assert "it cheats" in client.get("/staff/people/staffact/", {"q": bot.owner.get_username()}).content.decode()
    assert "may play again" in do(client, "/staff/bots/bot/", "lift", bot, why="it was a mistake")
    assert Bot.objects.get(slug="b0").banned == ""


@pytest.mark.slow
def test_staff_can_ban_and_unban_authors_and_set_quotas_and_grant_or_revoke_the_organiser_role(
    client: Client, staff: User
) -> None:
    ada, people = AuthorFactory.create(username="ada"), "/staff/auth/user/"
    assert "ada is banned" in do(client, people, "ban", ada, why="spam")
    assert not User.objects.get(username="ada").is_active
    assert "may play again" in do(client, people, "lift", ada, why="sorry")
    assert User.objects.get(username="ada").is_active
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


@pytest.mark.slow
def test_retiring_a_bot_version_twice_on_staff_pages_is_logged_only_once(client: Client, staff: User) -> None:
    version = create_active_version(slug="one")
    assert "is retired" in do(client, "/staff/bots/botversion/", "retire", version, why="it leaks")
    version.refresh_from_db()
    assert (version.status, version.reason) == (BotVersion.Status.RETIRED, "retired: it leaks")
    assert "only active versions" in do(client, "/staff/bots/botversion/", "retire", version, why="it leaks")
    assert [(act.what, act.why) for act in StaffAct.objects.all()] == [("retire", "it leaks")]


def test_only_staff_pages_have_a_content_security_policy_with_unsafe_eval(client: Client, staff: User) -> None:
    there, elsewhere = (client.get(path)["Content-Security-Policy"] for path in ("/staff/", "/"))
    assert "unsafe-eval" in there
    assert "unsafe" not in elsewhere
    assert "default-src 'none'" in there
    assert set(STAFF_CSP) == {"script-src", "style-src"}


@pytest.mark.parametrize(
    "address",
    [
        "/staff/tournaments/league/?secret__regex=^..[0-7]",
        "/staff/replays/match/?seed__regex=^..[0-7]",
        "/staff/auth/user/?password__startswith=pbkdf2",
    ],
)
def test_staff_cannot_guess_hidden_columns_by_filters_in_the_address(client: Client, staff: User, address: str) -> None:
    assert client.get(address).status_code == 400


@pytest.mark.parametrize(
    "address",
    ["/staff/tournaments/league/?status__exact=open", "/staff/auth/user/?is_active__exact=1&groups__id__exact=1"],
)
def test_staff_can_filter_by_the_columns_that_a_list_offers(client: Client, staff: User, address: str) -> None:
    assert client.get(address).status_code == 200
