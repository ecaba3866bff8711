"""Permissions: each URL and API operation answers each role as the permission table says.

The URLs are read from the site and its OpenAPI schema, so a new one without a row in
`tests.support.hostile.permissions` fails here.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from bots.api.token_scope_permissions import SESSION_SCOPES_KEY
from ftk_core.kit.client.api_token_format import DEFAULT_SCOPES
from people.login_sessions import SESSION_TOKEN_KEY
from tests.support.addresses import fill_url_pattern, list_url_patterns
from tests.support.hostile.objects_of_urls import create_objects_of_every_url
from tests.support.hostile.permissions import BODIES, ROLES, ROWS

OPERATIONS = ("get", "post", "put", "patch", "delete")
ACCOUNT_PAGES = ("/account/", "/sign-in/", "/sign-out/", "/sign-up/", "/password/")
"""Beginnings of URLs of a person's own account. Another test covers sessions started with a token."""
TOKEN_SESSION_PAGES = {
    "/account/notices/": "needs the scope `notify`",
    "/account/notices/off/<str:token>/": "needs the secret of a mail's link",
    "/account/webhooks/": "needs the scope `notify`",
    "/account/webhooks/<int:number>/": "needs the scope `notify`",
    "/account/": "uploads, which need the scope `upload`",
    "/account/export/": "the person's own data",
    "/account/leave/": "asks for the password, or for a token if the account has no other credential",
    "/account/profile/": "the language of the person's pages",
    "/account/sessions/": "ends sessions",
    "/account/tokens/": "creates tokens with no more scopes and no longer life than the token of the session",
}
"""Pages under ``/account/`` that a session started with an author's token may use, with the reason."""
AUTHOR_POSTS = {
    "/bots/<slug:slug>/team/": "upload",
    "/bots/<slug:slug>/versions/<int:number>/": "upload",
    "/challenge/": "enter",
    "/leagues/<slug:slug>/enter/": "enter",
    "/leagues/<slug:slug>/predictions/": "enter",
    "/follow/": "the person's own list of followed leagues and bots",
    "/device/": "approves no more scopes than the session has",
    "/invitation/<str:token>/": "redirects signed-in people without an effect",
    "/leaderboards/": "redirects to the first game",
    "/play/": "lists the games, whatever the method",
}
"""Pages outside of `ACCOUNT_PAGES` that accept POST requests of a session with an author's token, with the reason."""
pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def operations() -> Iterator[str]:
    """Yield all operations: each URL by GET and by POST, the API's operations, and filled forms."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    for path, does in schema["paths"].items():
        yield from (f"{method.upper()} {_as_address(path)}" for method in OPERATIONS if method in does)
    for path in list_url_patterns():
        if not path.startswith("/api/"):
            yield from (f"GET {path}", f"POST {path}")
    yield from BODIES


def _as_address(path: str) -> str:
    return path.replace("{", "<").replace("}", ">")


@pytest.fixture
def asked(settings: Any) -> dict[str, Any]:
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")
    return create_objects_of_every_url()


def browser_of(role: str, known: dict[str, Any]) -> Client:
    """Return the browser of a signed-in person with a role."""
    client = Client(raise_request_exception=False)
    if role != "visitor":
        client.force_login(known["people"][role])
    return client


def fetch(browser: Client, operation: str, known: dict[str, Any]) -> tuple[int, str]:
    """Return the status of a request and where it redirects to, and roll back its effects."""
    method, path = operation.split(" ")[:2]
    cookies = deepcopy(browser.cookies)
    said = {name: value.format(**known) for name, value in BODIES.get(operation, {}).items()}
    with transaction.atomic():
        kind = (
            {}
            if method == "GET" or not path.startswith("/api/v1") or "uploads" in path
            else {"content_type": "application/json"}
        )
        answer = getattr(browser, method.lower())(fill_url_pattern(path, known), said or None, **kind)
        for _ in answer if answer.streaming and not answer.is_async else ():
            pass  # the test client closes a response after it was read to its end
        transaction.set_rollback(True)
    browser.cookies = cookies  # a new browser for each request would load all middleware each time
    return int(answer.status_code), answer.get("Location", "")


def status(browser: Client, operation: str, known: dict[str, Any]) -> int:
    """Return the status of a request, and roll back its effects."""
    return fetch(browser, operation, known)[0]


def test_the_documented_permission_table_lists_exactly_all_urls_and_operations() -> None:
    assert set(ROWS) == set(operations())


@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_the_status_codes_of_the_documented_permission_table(asked: dict[str, Any], role: str) -> None:
    at, browser = ROLES.index(role), browser_of(role, asked)
    got = {operation: status(browser, operation, asked) for operation in ROWS}
    assert got == {operation: row[at] for operation, row in ROWS.items()}


def limit_to_token(browser: Client) -> None:
    """Turn a browser's session into one that was started with an author's token."""
    session = browser.session
    session[SESSION_TOKEN_KEY], session[SESSION_SCOPES_KEY] = "ftk_pat_abcdefg", list(DEFAULT_SCOPES)
    session.save()


@pytest.mark.parametrize("role", ["owner", "organiser", "staff"])
def test_a_session_started_with_a_token_cannot_change_how_the_person_signs_in(asked: dict[str, Any], role: str) -> None:
    browser = browser_of(role, asked)
    limit_to_token(browser)
    paths = {operation: operation.split(" ")[1] for operation in ROWS}
    credentials = [
        operation
        for operation, path in paths.items()
        if path.startswith("/account/") and path not in TOKEN_SESSION_PAGES
    ]
    assert {operation: status(browser, operation, asked) for operation in credentials} == dict.fromkeys(
        credentials, 403
    )


@pytest.mark.parametrize("role", ["owner", "organiser", "staff"])
def test_a_session_opened_with_an_author_token_cannot_post_outside_the_scopes_of_the_token(
    asked: dict[str, Any], role: str
) -> None:
    browser, limited, visitor = browser_of(role, asked), browser_of(role, asked), browser_of("visitor", asked)
    limit_to_token(limited)
    unexpected = [
        operation
        for operation, path in ((operation, operation.split(" ")[1]) for operation in ROWS)
        if operation.startswith("POST") and not path.startswith(("/api/", *ACCOUNT_PAGES)) and path not in AUTHOR_POSTS
        if (whole := fetch(browser, operation, asked))[0] < 300 or whole[0] in {302, 400, 409}
        if status(limited, operation, asked) != 403 and fetch(visitor, operation, asked) != whole
    ]
    assert unexpected == []
