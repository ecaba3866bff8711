"""REST API for entries: entering a bot, withdrawing it, and refused requests."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from bots.access.api_tokens import create_token
from tests.support.factories import AuthorFactory
from tests.support.league_entries import add_newer_version, create_own_version, open_league
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import load

pytestmark = pytest.mark.django_db(transaction=True)


def with_token(person: User, *scopes: str) -> APIClient:
    client, token = APIClient(), create_token(person, scopes=scopes) if scopes else create_token(person)
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


def test_an_author_enters_and_withdraws_a_bot_through_the_api() -> None:
    league, version = open_league(), create_own_version()
    add_newer_version(version)
    client = with_token(version.bot.owner)
    answer = client.post("/api/v1/leagues/night/entries/", {"bot": "ada", "version": 1}, format="json")
    assert (answer.status_code, answer.json()["name"], answer.json()["by"]) == (201, "ada-1", "of-ada")
    assert client.post("/api/v1/leagues/night/entries/", {"bot": "ada"}, format="json").json()["name"] == "ada-2"
    assert client.delete("/api/v1/leagues/night/entries/1/").status_code == 204
    assert [entry.withdrawn for entry in load(league)[1].entrants] == [True, False]


def test_an_organiser_withdraws_bots_of_other_authors_only_with_a_token_that_may_organise() -> None:
    olga: User = AuthorFactory.create(username="olga")
    league, address = open_league(by="olga"), "/api/v1/leagues/night/entries/1/?why=late"
    services.enter_bot(league.pk, create_own_version())
    refused = with_token(olga, "upload", "enter", "read").delete(address)
    assert (refused.status_code, "the scope organise" in refused.json()["detail"]) == (403, True)
    assert not load(league)[1].entrants[0].withdrawn
    assert with_token(olga, "enter", "organise").delete(address).status_code == 204
    assert load(league)[1].entrants[0].withdrawn


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "status", "words"),
    [
        ({"bot": "bob"}, 403, "bob is somebody else's bot; its authors enter it"),
        ({"bot": "nobody"}, 404, "there is no bot 'nobody'"),
        ({"bot": "ada", "version": 9}, 404, "ada has no version 9"),
        ({"bot": "ada", "version": 1, "newest": True}, 400, "say a version, or newest, but not both"),
        ({"bot": "ada", "version": 0}, 400, "greater than or equal to 1"),
        ({}, 400, "This field is required"),
    ],
)
def test_an_invalid_entry_is_refused_with_its_reason(said: dict[str, Any], status: int, words: str) -> None:
    open_league()
    create_own_version("bob")
    answer = with_token(create_own_version().bot.owner).post("/api/v1/leagues/night/entries/", said, format="json")
    assert answer.status_code == status
    assert words in answer.content.decode()


def test_invalid_league_entry_requests_get_the_status_codes_401_404_and_409() -> None:
    open_league()
    client = with_token(create_own_version().bot.owner)
    assert client.post("/api/v1/leagues/night/entries/", {"bot": "ada"}, format="json").status_code == 201
    again = client.post("/api/v1/leagues/night/entries/", {"bot": "ada"}, format="json")
    assert (again.status_code, again.json()["detail"]) == (409, "ada-1 has entered already")
    assert client.post("/api/v1/leagues/none/entries/", {"bot": "ada"}, format="json").status_code == 404
    assert client.delete("/api/v1/leagues/night/entries/99999999999/").status_code == 404
    assert APIClient().post("/api/v1/leagues/night/entries/", {"bot": "ada"}, format="json").status_code == 401
