"""Who may ask for what: every address and every operation of the API, asked by everybody, answers as its row says.

The addresses are those of the site and of its OpenAPI schema, so that a new one without a row in
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

from notices.endpoints import send_test
from people.roles import make_organiser
from replays.models import Match
from tests.support.addresses import addresses, filled
from tests.support.entering import mine, opened
from tests.support.factories import AuthorFactory
from tests.support.hooks import hooked
from tests.support.hostile.permissions import BODIES, ROLES, ROWS
from tournaments import services
from tournaments.desk import propose_or_act
from tournaments.roles import LeagueRole

OPERATIONS = ("get", "post", "put", "patch", "delete")
pytestmark = pytest.mark.django_db


def operations() -> Iterator[str]:
    """Yield what can be asked: each address by GET and by POST, what the API does, and forms with something in them."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    for path, does in schema["paths"].items():
        yield from (f"{method.upper()} {_as_address(path)}" for method in OPERATIONS if method in does)
    for path in addresses():
        if not path.startswith("/api/"):
            yield from (f"GET {path}", f"POST {path}")
    yield from BODIES


def _as_address(path: str) -> str:
    return path.replace("{", "<").replace("}", ">")


@pytest.fixture
def asked(settings: Any) -> dict[str, Any]:
    """Something behind every address, and one of everybody; returns what stands for the words in addresses."""
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")
    people: dict[str, User] = {role: AuthorFactory.create(username=role) for role in ROLES if role != "visitor"}
    people["staff"].is_staff = True
    people["staff"].save()
    make_organiser(people["organiser"])
    league, ada = opened(by="organiser"), mine("ada", people["owner"])
    services.enter_bot(league.pk, ada)
    opened(slug="other", by="elsewhere")
    services.enter_bot(league.pk, mine("olgas", people["organiser"]))
    LeagueRole.objects.create(league=league, person=people["judge"], role=LeagueRole.Role.JUDGE)
    proposal = propose_or_act(people["organiser"], league, "pause", {}, "the hall is locked")
    assert proposal is not None
    services.start(league.pk)
    match = Match.objects.get()
    hook = hooked("https://bots.example/", people["owner"])
    key = send_test(people["owner"], hook.pk).key
    known = {"people": people, "ada": ada, "match": match.pk, "proposal": str(proposal.pk)}
    return known | {"hook": str(hook.pk), "key": key}


def browser_of(role: str, known: dict[str, Any]) -> Client:
    """Return the browser of somebody who is signed in."""
    client = Client(raise_request_exception=False)
    if role != "visitor":
        client.force_login(known["people"][role])
    return client


def status(browser: Client, operation: str, known: dict[str, Any]) -> int:
    """Return how somebody's request is answered; nothing of it stays."""
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
        answer = getattr(client, method.lower())(filled(path, known), said or None, **kind)
        for _ in answer if answer.streaming and not answer.is_async else ():
            pass  # read to its end, the test client closes it
        transaction.set_rollback(True)
    return int(answer.status_code)


def test_every_address_and_every_operation_has_a_row_and_no_row_is_left_over() -> None:
    assert set(ROWS) == set(operations())


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_each_kind_of_people_is_answered_as_the_rows_say(asked: dict[str, Any], role: str) -> None:
    at, browser = ROLES.index(role), browser_of(role, asked)
    got = {operation: status(browser, operation, asked) for operation in ROWS}
    assert got == {operation: row[at] for operation, row in ROWS.items()}
