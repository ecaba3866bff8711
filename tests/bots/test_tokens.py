"""Tokens have a name, scopes and an end; doors name the scope they need; nothing tells a token to anybody else."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha512
from importlib import import_module
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from drf_spectacular.generators import EndpointEnumerator
from rest_framework.permissions import AllowAny
from rest_framework.test import APIClient

from bots.models import Token
from bots.scopes import PUBLIC, scope_of
from bots.tokens import FORGOTTEN, MOST, NoToken, bearer_of, new_token, tokens_of
from ftk_core.kit.tokens import AUTHORS, CHECKED, SCOPES, is_token
from people.models import SignIn
from people.roles import make_organiser
from tests.support.factories import AuthorFactory
from tests.support.uploads import upload
from tournaments import services
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db
EACH = sorted(SCOPES)


@pytest.fixture
def author() -> Any:
    return AuthorFactory.create()


def showing(token: str, word: str = "Token") -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"{word} {token}")
    return client


def test_of_a_token_only_its_hash_and_its_beginning_are_kept(author: Any) -> None:
    token = new_token(author)
    assert token.startswith("ftk_pat_")
    row = Token.objects.values().get()
    assert row["digest"] == sha512(token.encode()).hexdigest()
    assert not [value for value in row.values() if isinstance(value, str) and token[8:20] in value]
    assert row["start"] == token[:15]


def test_a_letter_that_is_wrong_is_noticed_by_the_checksum(author: Any) -> None:
    token = new_token(author)
    assert is_token(token)
    for at in range(8, len(token)):
        assert not is_token(token[:at] + ("a" if token[at] != "a" else "b") + token[at + 1 :])
    for wrong in (token[:-1], token + "0", token[:-CHECKED], "ftk_pat_", token + "\n", "ftk_pat_" + "é" * 46):
        assert not is_token(wrong)
        with pytest.raises(NoToken, match="a letter of it is missing or wrong"):
            bearer_of(wrong)


def test_a_token_that_has_expired_opens_nothing_and_says_since_when(author: Any) -> None:
    token = new_token(author, days=1)
    assert showing(token).get("/api/v1/matches/").status_code == 200
    past = timezone.now() - timedelta(seconds=1)
    Token.objects.update(expires_at=past)
    said = showing(token).get("/api/v1/matches/")
    assert (said.status_code, said.data["detail"]) == (
        401,
        f"This token expired on {past:%Y-%m-%d}; make a new one.",
    )
    assert Client().post("/sign-in/token/", {"token": token}).status_code == 400
    assert tokens_of(author)[0].expired


def test_what_has_expired_makes_room_and_is_forgotten_after_a_month(author: Any) -> None:
    for _ in range(MOST):
        new_token(author)
    Token.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    new_token(author)
    assert Token.objects.count() == MOST + 1
    Token.objects.filter(expires_at__lt=timezone.now()).update(expires_at=timezone.now() - FORGOTTEN * 2)
    new_token(author)
    assert Token.objects.count() == 2


def test_the_last_use_is_written_once_a_minute(author: Any, django_assert_num_queries: Any) -> None:
    token = new_token(author)
    assert tokens_of(author)[0].used_at is None
    bearer_of(token)
    first = tokens_of(author)[0].used_at
    assert first is not None
    with django_assert_num_queries(1):
        bearer_of(token)
    Token.objects.update(used_at=first - timedelta(minutes=2))
    bearer_of(token)
    again = tokens_of(author)[0].used_at
    assert again is not None
    assert again >= first


def test_a_session_ends_with_the_life_of_the_token_it_began_with(author: Any, client: Client) -> None:
    client.post("/sign-in/token/", {"token": new_token(author, days=1)})
    assert client.session.get_expiry_age() <= 86_400
    assert SignIn.objects.get().owner == author


def test_every_operation_of_the_api_names_a_scope_or_is_public() -> None:
    doors = {}
    for path, _, method, callback in EndpointEnumerator().get_api_endpoints():
        view = callback.cls()
        view.action = (getattr(callback, "actions", None) or {}).get(method.lower(), method.lower())
        doors[f"{method} {path}"] = PUBLIC if AllowAny in view.permission_classes else scope_of(view)
    assert doors.pop("POST /api/v1/bots/uploads/") == "upload"
    writing = {door for door, scope in doors.items() if scope == PUBLIC and not door.startswith("GET ")}
    assert writing == {"POST /api/v1/device/", "POST /api/v1/device/token/", "DELETE /api/v1/token/"}
    changing = {door for door, scope in doors.items() if scope == "read" and not door.startswith("GET ")}
    assert changing == set(), "who may read changes nothing"
    assert len(doors) >= 9


@pytest.mark.parametrize("scope", [scope for scope in EACH if scope != "upload"])
def test_a_token_without_the_scope_is_refused_with_its_name(author: Any, scope: str) -> None:
    answer = upload(showing(new_token(author, scopes=[scope])))
    assert answer.status_code == 403
    assert answer.data["detail"] == (
        "This token may not send bots in your name: it lacks the scope 'upload'; make one that has it, or `ftk login`."
    )
    assert upload(APIClient()).status_code == 401


def test_a_token_that_may_upload_need_not_read_what_is_its_authors_alone(author: Any) -> None:
    sent = upload(showing(new_token(author, scopes=["upload"])))
    assert sent.status_code == 201
    address = f"/api/v1/bots/versions/{sent.data['id']}/"
    assert "trial_log" not in showing(new_token(author, scopes=["upload"])).get(address).data
    assert "trial_log" in showing(new_token(author, scopes=["read"]), "Bearer").get(address).data
    session = Client()
    session.force_login(author)
    assert "trial_log" in session.get(address).json()


@pytest.mark.parametrize("missing", AUTHORS)
def test_a_token_for_programs_signs_nobody_in(author: Any, client: Client, missing: str) -> None:
    token = new_token(author, scopes=[scope for scope in SCOPES if scope != missing])
    answer = client.post("/sign-in/token/", {"token": token})
    assert answer.status_code == 400
    assert f"to sign in it lacks {missing}" in answer.content.decode()


def test_who_signed_in_with_a_token_makes_none_that_may_more(author: Any, client: Client) -> None:
    client.post("/sign-in/token/", {"token": new_token(author)})
    wanted = {"name": "more", "scopes": ["organise"], "days": "1"}
    page = client.post("/account/tokens/", wanted, follow=True).content.decode()
    assert "organise is not one of the available choices" in page
    assert Token.objects.count() == 1


@pytest.mark.parametrize("path", ["/leagues/new/", "/leagues/night/desk/", "/invitations/"])
def test_a_session_that_began_with_an_authors_token_organises_nothing(author: Any, client: Client, path: str) -> None:
    services.open_league(Terms(slug="night", name="Night", game="pig", seats=2, rounds=1, by=author.username))
    make_organiser(author)
    client.post("/sign-in/token/", {"token": new_token(author)})
    assert "sign in with one that has the scope" in client.get(path).content.decode()
    client.post("/sign-in/token/", {"token": new_token(author, scopes=list(SCOPES))})
    assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": ""}, "name: This field is required"),
        ({"name": "x" * 61}, "name: Ensure"),
        ({"scopes": []}, "scopes: Name at least one"),
        ({"scopes": ["all"]}, "scopes: Select a valid choice"),
        ({"days": "367"}, "days: Ensure this value is less than or equal to 366"),
        ({"days": "0"}, "days: Ensure"),
        ({"days": ""}, "days: This field"),
    ],
)
def test_a_form_that_is_wrong_makes_nothing(author: Any, client: Client, wrong: dict[str, Any], said: str) -> None:
    client.force_login(author)
    page = client.post("/account/tokens/", {"name": "a", "scopes": ["read"], "days": "9", **wrong}, follow=True)
    assert said in page.content.decode()
    assert not Token.objects.exists()


def test_the_account_tells_of_each_token_all_but_itself(author: Any, client: Client) -> None:
    token = new_token(author, "laptop <1>", ["upload", "read"], days=None)
    client.force_login(author)
    page = client.get("/account/").content.decode()
    for word in ("laptop &lt;1&gt;", token[:15], "may upload, read", "without an end", "never used"):
        assert word in page
    assert token not in page
    bearer_of(token)
    assert "last used" in client.get("/account/").content.decode()


def test_a_token_says_what_it_is_and_gives_itself_back(author: Any) -> None:
    token = new_token(author, "laptop", ["read"])
    said = showing(token).get("/api/v1/token/").data
    assert (said["person"], said["name"], said["scopes"]) == (author.username, "laptop", ["read"])
    assert token not in str(said)
    assert showing(token).delete("/api/v1/token/").status_code == 204
    assert showing(token).get("/api/v1/token/").status_code == 401
    for method in ("get", "delete"):
        assert getattr(APIClient(), method)("/api/v1/token/").status_code == 401


def test_the_shell_makes_tokens_with_a_name_scopes_and_an_end_or_none(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("token", "ada", "--called", "night job", "--scopes", "read,upload", "--no-end")
    row = bearer_of(capsys.readouterr().out.strip())
    assert (row.owner.username, row.name, row.scopes, row.expires_at) == ("ada", "night job", ["upload", "read"], None)
    call_command("token", "ada", "--days", "7")
    row = bearer_of(capsys.readouterr().out.strip())
    assert row.expires_at is not None
    assert ((row.expires_at - row.created_at).days, row.scopes) == (7, list(AUTHORS))


KNOX = """
    CREATE TABLE knox_authtoken (digest varchar(128) PRIMARY KEY, token_key varchar(25), user_id integer,
        created timestamptz, expiry timestamptz)
"""


def test_tokens_of_the_last_release_go_on(author: Any) -> None:
    old = "0123456789abcdef" * 4
    with connection.cursor() as cursor:
        cursor.execute(KNOX)
        cursor.execute(
            "INSERT INTO knox_authtoken VALUES (%s, %s, %s, now() - interval '1 year', NULL)",
            [sha512(old.encode()).hexdigest(), old[:15], author.pk],
        )
        cursor.execute(import_module("bots.migrations.0010_tokens").TAKE_OVER)
        cursor.execute("SELECT to_regclass('knox_authtoken')")
        assert cursor.fetchone() == (None,)
        cursor.execute(import_module("bots.migrations.0010_tokens").TAKE_OVER)
    row = bearer_of(old)
    assert (row.owner, row.start, row.scopes, row.expires_at) == (author, old[:15], list(AUTHORS), None)
    assert upload(showing(old)).status_code == 201
    assert Client().post("/sign-in/token/", {"token": old}).status_code == 302
