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

from tests.support.addresses import fill_url_pattern, list_url_patterns
from tests.support.hostile.objects_of_urls import create_objects_of_every_url
from tests.support.hostile.permissions import BODIES, ROLES, ROWS

OPERATIONS = ("get", "post", "put", "patch", "delete")
pytestmark = pytest.mark.django_db


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


def status(browser: Client, operation: str, known: dict[str, Any]) -> int:
    """Return the status of a request, and roll back its effects."""
    method, path = operation.split(" ")[:2]
    client = Client(raise_request_exception=False)
    client.cookies = deepcopy(browser.cookies)
    said = {name: value.format(**known) for name, value in BODIES.get(operation, {}).items()}
    with transaction.atomic():
        kind = (
            {}
            if method == "GET" or not path.startswith("/api/v1") or "uploads" in path
            else {"content_type": "application/json"}
        )
        answer = getattr(client, method.lower())(fill_url_pattern(path, known), said or None, **kind)
        for _ in answer if answer.streaming and not answer.is_async else ():
            pass  # read to its end, the test client closes it
        transaction.set_rollback(True)
    return int(answer.status_code)


def test_the_documented_permission_table_lists_exactly_all_urls_and_operations() -> None:
    assert set(ROWS) == set(operations())


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_the_status_codes_of_the_documented_permission_table(asked: dict[str, Any], role: str) -> None:
    at, browser = ROLES.index(role), browser_of(role, asked)
    got = {operation: status(browser, operation, asked) for operation in ROWS}
    assert got == {operation: row[at] for operation, row in ROWS.items()}
