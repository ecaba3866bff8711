"""REST API of leagues: announcement, forecast, and refused terms."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from bots.access.api_tokens import create_token
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from people.person_roles import make_organiser
from tests.support.leagues import create_entrants, start_league
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)

NIGHT: dict[str, Any] = {
    "slug": "night",
    "name": "Night",
    "game": "pig",
    "seats": 2,
    "rounds": 3,
    "games": 2,
    "languages": ["python", "c"],
    "tiebreaks": ["opposition", "lots"],
    "release": "after_round",
    "late": 2,
    "move_ms": 700,
    "bank_ms": 3000,
}


@pytest.fixture
def program() -> APIClient:
    ada = User.objects.create_user("ada")
    make_organiser(ada)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {create_token(ada, scopes=['organise'])}")
    return client


def sent(program: APIClient, to: str = "/api/v1/leagues/", **more: Any) -> Any:
    return program.post(to, {**NIGHT, **more}, format="json")


def test_league_settings_returned_by_the_api_equal_those_sent_and_can_be_sent_again(program: APIClient) -> None:
    assert sent(program).status_code == 201
    terms = program.get("/api/v1/leagues/night/").json()["terms"]
    (stage,) = terms["stages"]
    assert {name: terms[name] for name in ("languages", "release", "late", "move_ms", "bank_ms")} == {
        name: NIGHT[name] for name in ("languages", "release", "late", "move_ms", "bank_ms")
    }
    assert (stage["format"], stage["seats"], stage["rounds"], stage["games"]) == ("swiss", 2, 3, 2)
    assert (stage["tiebreaks"], terms["by"]) == (["opposition", "lots"], "ada")
    again = {name: NIGHT[name] for name in ("name", "game", "seats", "rounds")} | terms | {"slug": "again"}
    assert program.post("/api/v1/leagues/", again, format="json").status_code == 201
    assert program.get("/api/v1/leagues/again/").json()["terms"] == terms


def test_league_settings_read_from_the_api_can_be_posted_again_to_announce_another_league(
    program: APIClient,
) -> None:
    soon = (timezone.now() + timedelta(days=1)).isoformat()
    assert sent(program, seats=6, game="kings_court", options={"gifts": 2}, entries_until=soon).status_code == 201
    terms = program.get("/api/v1/leagues/night/terms/").json()
    assert (terms["slug"], terms["options"]["gifts"], terms["seats"]) == ("night", 2, 6)
    assert not {"by", "season", "entries_until"} & set(terms)
    again = {**terms, "slug": "again", "name": "Again"}
    assert program.post("/api/v1/leagues/", again, format="json").status_code == 201
    assert program.get("/api/v1/leagues/again/terms/").json() == again
    assert program.get("/api/v1/leagues/nothing/terms/").status_code == 404


@pytest.mark.parametrize(("worth", "first"), [({}, "wins"), ({"worth": "shared"}, "shared")])
def test_a_stage_without_a_scoring_rule_uses_the_rule_of_the_league_or_else_of_the_game(
    worth: dict[str, str], first: str, program: APIClient
) -> None:
    stages = [{"format": "swiss", "seats": 6, "rounds": 2}, {"format": "knockout", "seats": 6, "worth": "places"}]
    assert sent(program, game="kings_court", seats=6, stages=stages, **worth).status_code == 201
    terms = program.get("/api/v1/leagues/night/terms/").json()
    assert [stage["worth"] for stage in terms["stages"]] == [first, "places"]
    again = {**terms, "slug": "again", "name": "Again"}
    assert program.post("/api/v1/leagues/", again, format="json").status_code == 201
    assert program.get("/api/v1/leagues/again/terms/").json() == again


@pytest.mark.parametrize("to", ["/api/v1/leagues/", "/api/v1/leagues/new/outlook/"])
def test_an_unknown_programming_language_is_refused(program: APIClient, to: str) -> None:
    answer = sent(program, to, languages=["cobol"])
    assert answer.status_code == 409
    assert answer.json()["detail"] == f"'cobol' is not a language of bots; choose among {', '.join(LANGUAGES)}."
    assert not League.objects.exists()


@pytest.mark.slow
def test_a_league_forecast_is_returned_and_stores_nothing(program: APIClient) -> None:
    found = sent(program, "/api/v1/leagues/new/outlook/", expected=8).json()
    assert (found["rounds"], found["matches"], found["entries"]) == (3, 24, 8)
    assert 0 < found["best"] <= 1
    assert found["hours"] > 0
    assert not League.objects.exists()
    assert sent(program, "/api/v1/leagues/new/outlook/", rounds=900, games=20, expected=9000).status_code == 409


def test_the_list_of_all_leagues_contains_leagues_of_a_single_match(program: APIClient) -> None:
    start_league(create_entrants(2), rounds=1)
    assert [league["slug"] for league in program.get("/api/v1/leagues/").json()["leagues"]] == ["night"]
