"""API operations called as the OpenAPI schema allows, by every kind of person: no server error, nothing undocumented.

schemathesis generates the requests from the schema alone, for single operations and for sequences of them.
FTK_SCHEMA_REQUESTS is the number of requests per operation, besides one for each boundary value; `make test` sends a
few, as three kinds of people.
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

from bots.access.api_tokens import create_token
from ftk_core.kit.client.api_token_format import SCOPES
from people.person_roles import make_organiser
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league
from tests.support.lengths import nightly
from tests.support.live import LiveMatch
from tests.support.served import serve
from tournaments.leagues import services
from tournaments.models.organiser_roles import LeagueRole

REQUESTS = os.environ.get("FTK_SCHEMA_REQUESTS", "1")
ALL = "FTK_SCHEMA_REQUESTS" in os.environ
PHASES = "examples,coverage,fuzzing,stateful" if ALL else "examples,fuzzing,stateful"
SCHEMATHESIS = str(Path(sys.executable).with_name("schemathesis"))
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
ROLES = ("visitor", "author", "organiser", "judge", "staff")
pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def people(settings: Any) -> dict[str, User]:
    """One person of each kind, with a league, bots and matches."""
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")
    people: dict[str, User] = {role: AuthorFactory.create(username=role) for role in ROLES if role != "visitor"}
    people["staff"].is_staff = True
    people["staff"].save()
    make_organiser(people["organiser"])
    ended = LiveMatch()
    ended.grow(ended.left)
    league = open_league(by="organiser")
    services.enter_bot(league.pk, create_own_version("ada", people["author"]))
    services.enter_bot(league.pk, create_own_version("bob", people["author"]))
    LeagueRole.objects.create(league=league, person=people["judge"], role=LeagueRole.Role.JUDGE)
    return people


@pytest.mark.parametrize("role", ROLES if ALL else ("organiser", *nightly("visitor", "author")))
def test_every_api_response_conforms_to_the_openapi_schema(role: str, people: dict[str, User]) -> None:
    shown = (
        [] if role == "visitor" else ["-H", f"Authorization: Token {create_token(people[role], scopes=list(SCOPES))}"]
    )
    with serve() as running:
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


def test_every_post_request_with_an_idempotency_key_is_executed_once() -> None:
    """A POST that is not idempotent must say so in its schema."""
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
