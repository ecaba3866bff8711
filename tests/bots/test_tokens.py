"""API tokens: names, scopes and expiry; each endpoint declares its scope; secrets are shown only once."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha512
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from drf_spectacular.generators import EndpointEnumerator
from rest_framework.permissions import AllowAny
from rest_framework.test import APIClient

from bots.access.api_tokens import (
    EXPIRED_RETENTION,
    MAX_TOKENS,
    PREFIX_LENGTH,
    InvalidTokenError,
    authenticate_token,
    create_token,
    list_tokens,
)
from bots.api.token_scope_permissions import PUBLIC, scope_of
from bots.models import ApiToken
from ftk_core.kit.client.api_token_format import CHECKSUM_LETTERS, DEFAULT_SCOPES, SCOPES, is_token
from people.models import SignIn
from people.person_roles import make_organiser
from tests.support.factories import AuthorFactory
from tests.support.uploads import upload
from tournaments.leagues import services
from tournaments.leagues.league_settings import LeagueSettings

pytestmark = pytest.mark.django_db
EACH = sorted(SCOPES)


@pytest.fixture
def author() -> Any:
    return AuthorFactory.create()


def client_with_token(token: str, word: str = "Token") -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"{word} {token}")
    return client


def test_only_the_hash_and_the_prefix_of_a_token_are_stored(author: Any) -> None:
    token = create_token(author)
    assert token.startswith("ftk_pat_")
    stored = ApiToken.objects.values().get()
    assert stored["digest"] == sha512(token.encode()).hexdigest()
    assert not [value for value in stored.values() if isinstance(value, str) and token[8:20] in value]
    assert stored["start"] == token[:15]


def test_the_checksum_of_a_token_detects_a_typing_error(author: Any) -> None:
    token = create_token(author)
    assert is_token(token)
    for at in range(8, len(token)):
        assert not is_token(token[:at] + ("a" if token[at] != "a" else "b") + token[at + 1 :])
    for wrong in (token[:-1], token + "0", token[:-CHECKSUM_LETTERS], "ftk_pat_", token + "\n", "ftk_pat_" + "é" * 46):
        assert not is_token(wrong)
        with pytest.raises(InvalidTokenError, match="a letter of it is missing or wrong"):
            authenticate_token(wrong)


def test_the_database_deletes_the_children_of_a_token_for_a_release_that_does_not_know_them(author: Any) -> None:
    parent = create_token(author)
    create_token(author, parent=parent[:PREFIX_LENGTH])
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM bots_token WHERE start = %s", [parent[:PREFIX_LENGTH]])
    connection.check_constraints()
    assert list_tokens(author) == []


def test_an_expired_token_is_refused_with_its_expiry_date(author: Any) -> None:
    token = create_token(author, days=1)
    assert client_with_token(token).get("/api/v1/matches/").status_code == 200
    past = timezone.now() - timedelta(seconds=1)
    ApiToken.objects.update(expires_at=past)
    expected = client_with_token(token).get("/api/v1/matches/")
    assert (expected.status_code, expected.data["detail"]) == (
        401,
        f"This token expired on {past:%Y-%m-%d}; make a new one.",
    )
    assert Client().post("/sign-in/token/", {"token": token}).status_code == 400
    assert list_tokens(author)[0].expired


def test_expired_tokens_do_not_count_towards_the_limit_and_are_deleted_after_a_month(author: Any) -> None:
    for _ in range(MAX_TOKENS):
        create_token(author)
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    create_token(author)
    assert ApiToken.objects.count() == MAX_TOKENS + 1
    ApiToken.objects.filter(expires_at__lt=timezone.now()).update(expires_at=timezone.now() - EXPIRED_RETENTION * 2)
    create_token(author)
    assert ApiToken.objects.count() == 2


def test_the_last_use_of_a_token_is_stored_at_most_once_a_minute(author: Any, django_assert_num_queries: Any) -> None:
    token = create_token(author)
    assert list_tokens(author)[0].used_at is None
    authenticate_token(token)
    first = list_tokens(author)[0].used_at
    assert first is not None
    with django_assert_num_queries(1):
        authenticate_token(token)
    ApiToken.objects.update(used_at=first - timedelta(minutes=2))
    authenticate_token(token)
    again = list_tokens(author)[0].used_at
    assert again is not None
    assert again >= first


def test_a_session_expires_with_the_token_that_opened_it(author: Any, client: Client) -> None:
    client.post("/sign-in/token/", {"token": create_token(author, days=1)})
    assert client.session.get_expiry_age() <= 86_400
    assert SignIn.objects.get().owner == author


def test_every_api_operation_names_a_scope_or_is_public() -> None:
    views = {}
    for path, _, method, callback in EndpointEnumerator().get_api_endpoints():
        view = callback.cls()
        view.action = (getattr(callback, "actions", None) or {}).get(method.lower(), method.lower())
        views[f"{method} {path}"] = PUBLIC if AllowAny in view.permission_classes else scope_of(view)
    assert views.pop("POST /api/v1/bots/uploads/") == "upload"
    writing = {name for name, scope in views.items() if scope == PUBLIC and not name.startswith("GET ")}
    assert writing == {"POST /api/v1/device/", "POST /api/v1/device/token/", "DELETE /api/v1/token/"}
    changing = {name for name, scope in views.items() if scope == "read" and not name.startswith("GET ")}
    assert changing == set(), "who may read changes nothing"
    assert len(views) >= 9


@pytest.mark.parametrize("scope", [scope for scope in EACH if scope != "upload"])
def test_a_token_without_the_required_scope_is_refused_with_the_name_of_the_scope(author: Any, scope: str) -> None:
    answer = upload(client_with_token(create_token(author, scopes=[scope])))
    assert answer.status_code == 403
    assert answer.data["detail"] == (
        "This token may not upload bots in your name: it lacks the scope 'upload'; make one that has it,"
        " or `ftk login`."
    )
    assert upload(APIClient()).status_code == 401


def test_an_upload_token_cannot_read_private_data_of_its_author(author: Any) -> None:
    sent = upload(client_with_token(create_token(author, scopes=["upload"])))
    assert sent.status_code == 201
    address = f"/api/v1/bots/versions/{sent.data['id']}/"
    assert "trial_log" not in client_with_token(create_token(author, scopes=["upload"])).get(address).data
    assert "trial_log" not in upload(client_with_token(create_token(author, scopes=["upload"]))).data
    assert "trial_log" in upload(client_with_token(create_token(author, scopes=["upload", "read"]))).data
    assert "trial_log" in client_with_token(create_token(author, scopes=["read"]), "Bearer").get(address).data
    session = Client()
    session.force_login(author)
    assert "trial_log" in session.get(address).json()


@pytest.mark.parametrize("missing", DEFAULT_SCOPES)
def test_a_token_that_lacks_an_author_scope_cannot_sign_in(author: Any, client: Client, missing: str) -> None:
    token = create_token(author, scopes=[scope for scope in SCOPES if scope != missing])
    answer = client.post("/sign-in/token/", {"token": token})
    assert answer.status_code == 400
    assert f"to sign in it lacks {missing}" in answer.content.decode()


def test_a_session_opened_with_a_token_cannot_create_a_broader_token(author: Any, client: Client) -> None:
    client.post("/sign-in/token/", {"token": create_token(author)})
    wanted = {"name": "more", "scopes": ["organise"], "days": "1"}
    page = client.post("/account/tokens/", wanted, follow=True).content.decode()
    assert "organise is not one of the available choices" in page
    assert ApiToken.objects.count() == 1


@pytest.mark.parametrize("path", ["/leagues/new/", "/leagues/night/desk/", "/invitations/"])
def test_a_session_opened_with_an_author_token_cannot_organise_a_league(author: Any, client: Client, path: str) -> None:
    services.open_league(LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=1), author)
    make_organiser(author)
    client.post("/sign-in/token/", {"token": create_token(author)})
    assert "sign in with one that has the scope" in client.get(path).content.decode()
    client.post("/sign-in/token/", {"token": create_token(author, scopes=list(SCOPES))})
    assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    ("wrong", "expected"),
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
def test_an_invalid_form_creates_no_token(author: Any, client: Client, wrong: dict[str, Any], expected: str) -> None:
    client.force_login(author)
    fields = {"name": "a", "scopes": ["read"], "days": "9", **wrong}
    page = client.post("/account/tokens/", fields)
    assert (page.status_code, expected in page.content.decode()) == (400, True)
    kept = [f'value="{fields[name]}"' for name in ("name", "days") if fields[name]]
    assert all(value in page.content.decode() for value in kept), "what was typed stays in the form"
    assert not ApiToken.objects.exists()


def test_the_account_page_lists_tokens_without_their_secret(author: Any, client: Client) -> None:
    token = create_token(author, "laptop <1>", ["upload", "read"], days=None)
    client.force_login(author)
    page = client.get("/account/tokens/").content.decode()
    for word in ("laptop &lt;1&gt;", token[:15], "may upload, read", "without an end", "never used"):
        assert word in page
    assert token not in page
    authenticate_token(token)
    assert "last used" in client.get("/account/tokens/").content.decode()


def test_a_token_can_be_used_to_read_its_own_data_and_to_revoke_it(author: Any) -> None:
    token = create_token(author, "laptop", ["read"])
    expected = client_with_token(token).get("/api/v1/token/").data
    assert (expected["person"], expected["name"], expected["scopes"]) == (author.username, "laptop", ["read"])
    assert token not in str(expected)
    assert client_with_token(token).delete("/api/v1/token/").status_code == 204
    assert client_with_token(token).get("/api/v1/token/").status_code == 401
    assert {getattr(APIClient(), method)("/api/v1/token/").status_code for method in ("get", "delete")} == {401}


def test_the_token_command_creates_tokens_with_scopes_and_expiry(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("token", "ada", "--called", "night job", "--scopes", "read,upload", "--no-end")
    stored = authenticate_token(capsys.readouterr().out.strip())
    assert (stored.owner.username, stored.name, stored.expires_at) == ("ada", "night job", None)
    assert stored.scopes == ["upload", "read"]
    call_command("token", "ada", "--days", "7")
    stored = authenticate_token(capsys.readouterr().out.strip())
    assert (stored.expires_at, stored.scopes) == (stored.created_at + timedelta(7), [*DEFAULT_SCOPES])


def test_a_token_of_the_older_format_without_a_prefix_is_valid(author: Any) -> None:
    old = "0123456789abcdef" * 4
    digest, now = sha512(old.encode()).hexdigest(), timezone.now()
    row = {"name": "old", "scopes": [*DEFAULT_SCOPES], "start": old[:15], "digest": digest, "created_at": now}
    ApiToken.objects.create(owner=author, **row)
    assert upload(client_with_token(old)).status_code == 201
    assert Client().post("/sign-in/token/", {"token": old}).status_code == 302
