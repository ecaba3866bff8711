"""Permissions: each URL and API operation answers each role as the permission table says.

The URLs are read from the site and its OpenAPI schema, so a new one without a row in
`tests.support.hostile.permissions` fails here.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from notices.webhooks.webhook_endpoints import send_test
from people.person_roles import make_organiser
from replays.models import Match
from tests.support.addresses import fill_url_pattern, list_url_patterns
from tests.support.factories import AuthorFactory
from tests.support.hostile.permissions import BODIES, ROLES, ROWS
from tests.support.league_entries import create_own_version, open_league
from tests.support.webhooks import create_webhook
from tournaments.leagues import services
from tournaments.models.organiser_roles import LeagueRole
from tournaments.organisers.act_requests import propose_or_act
from tournaments.series.services import SeriesTerms, add_league, open_series

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
    """Create an object behind every URL, and a person of each role; return the values for parameters in URLs."""
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")
    people: dict[str, User] = {role: AuthorFactory.create(username=role) for role in ROLES if role != "visitor"}
    people["staff"].is_staff = True
    people["staff"].save()
    make_organiser(people["organiser"])
    league, ada = open_league(by="organiser"), create_own_version("ada", people["owner"])
    services.enter_bot(league.pk, ada)
    open_league(slug="other", by="elsewhere")
    services.enter_bot(league.pk, create_own_version("olgas", people["organiser"]))
    LeagueRole.objects.create(league=league, person=people["judge"], role=LeagueRole.Role.JUDGE)
    proposal = propose_or_act(people["organiser"], league, "pause", {}, "the hall is locked")
    assert proposal is not None
    services.start(league.pk)
    open_series(people["organiser"], SeriesTerms(slug="night", name="Nights", game="pig"))
    add_league(people["organiser"], "night", "night")
    match = Match.objects.get()
    hook = create_webhook("https://bots.example/", people["owner"])
    key = send_test(people["owner"], hook.pk).key
    known = {"people": people, "ada": ada, "match": match.pk, "proposal": str(proposal.pk)}
    return known | {"hook": str(hook.pk), "key": key}


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
