"""Every operation of the API, asked what its schema allows, by every kind of people: no fault, nothing undocumented.

The requests are made by schemathesis from the schema alone; operations are tried one by one, and in a row where one's
answer tells what the next one asks for. FTK_SCHEMA_REQUESTS says how many requests each operation is sent, besides one
for every edge of what it takes; `make test` sends a few, as three kinds of people.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from drf_spectacular.generators import SchemaGenerator

from bots.tokens import new_token
from ftk_core.kit.tokens import SCOPES
from people.roles import make_organiser
from tests.support.entering import mine, opened
from tests.support.factories import AuthorFactory
from tests.support.live import LiveMatch
from tests.support.served import served
from tournaments import services
from tournaments.roles import LeagueRole

REQUESTS = os.environ.get("FTK_SCHEMA_REQUESTS", "1")
ALL = "FTK_SCHEMA_REQUESTS" in os.environ
PHASES = "examples,coverage,fuzzing,stateful" if ALL else "examples,fuzzing,stateful"
SCHEMATHESIS = str(Path(sys.executable).with_name("schemathesis"))
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
ROLES = ("visitor", "author", "organiser", "judge", "staff")
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people(settings: Any) -> dict[str, User]:
    """Somebody of each kind, with a league, bots and matches."""
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")
    people: dict[str, User] = {role: AuthorFactory.create(username=role) for role in ROLES if role != "visitor"}
    people["staff"].is_staff = True
    people["staff"].save()
    make_organiser(people["organiser"])
    ended = LiveMatch()
    ended.grow(ended.left)
    league = opened(by="organiser")
    services.enter_bot(league.pk, mine("ada", people["author"]))
    services.enter_bot(league.pk, mine("bob", people["author"]))
    LeagueRole.objects.create(league=league, person=people["judge"], role=LeagueRole.Role.JUDGE)
    return people


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES if ALL else ("visitor", "author", "organiser"))
def test_whatever_the_schema_allows_is_answered_as_it_says(role: str, people: dict[str, User]) -> None:
    shown = [] if role == "visitor" else ["-H", f"Authorization: Token {new_token(people[role], scopes=list(SCOPES))}"]
    with served() as running:
        schema = f"{running.address}/api/v1/schema/"
        asked = ["run", schema, "--checks", CHECKS, "-n", REQUESTS, "--seed", "7", "--generation-database", "none"]
        asked += ["--phases", PHASES, "--warnings", "off", "--no-color", *shown]
        done = subprocess.run(
            [SCHEMATHESIS, *asked],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout[done.stdout.find("= FAILURES") :][:12_000] + done.stderr[-2000:]


@pytest.mark.slow
def test_every_post_that_takes_a_key_is_done_once() -> None:
    """A POST that is not wrapped must say so in its schema."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    keyed = {
        path
        for path, does in schema["paths"].items()
        if any(parameter["name"] == "Idempotency-Key" for parameter in does.get("post", {}).get("parameters", []))
    }
    generator = SchemaGenerator()
    generator.get_schema(request=None, public=True)
    done_once = {
        path
        for path, _, method, view in generator._get_paths_and_endpoints()
        if method == "POST" and getattr(getattr(view, "post", None), "once", False)
    }
    assert keyed == done_once
