"""Programs enter their authors' bots and withdraw them, and are told what is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from bots.tokens import new_token
from tests.support.entering import mine, newer, opened
from tournaments.projections import load

pytestmark = pytest.mark.django_db(transaction=True)


def with_token(person: User) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {new_token(person)}")
    return client


def test_a_program_enters_and_withdraws_by_its_token() -> None:
    league, version = opened(), mine()
    newer(version)
    client = with_token(version.bot.owner)
    answer = client.post("/api/v1/leagues/night/entries/", {"bot": "ada", "version": 1}, format="json")
    assert (answer.status_code, answer.json()["name"], answer.json()["by"]) == (201, "ada-1", "of-ada")
    assert client.post("/api/v1/leagues/night/entries/", {"bot": "ada"}, format="json").json()["name"] == "ada-2"
    assert client.delete("/api/v1/leagues/night/entries/1/").status_code == 204
    assert [entry.withdrawn for entry in load(league)[1].entrants] == [True, False]


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
def test_a_program_is_told_what_is_wrong_with_an_entry(said: dict[str, Any], status: int, words: str) -> None:
    opened()
    mine("bob")
    answer = with_token(mine().bot.owner).post("/api/v1/leagues/night/entries/", said, format="json")
    assert answer.status_code == status
    assert words in answer.content.decode()


def test_the_second_entry_of_a_version_is_a_conflict_and_an_unknown_league_is_not_found() -> None:
    opened()
    client = with_token(mine().bot.owner)
    assert client.post("/api/v1/leagues/night/entries/", {"bot": "ada"}, format="json").status_code == 201
    again = client.post("/api/v1/leagues/night/entries/", {"bot": "ada"}, format="json")
    assert (again.status_code, again.json()["detail"]) == (409, "ada-1 has entered already")
    assert client.post("/api/v1/leagues/none/entries/", {"bot": "ada"}, format="json").status_code == 404
    assert client.delete("/api/v1/leagues/night/entries/99999999999/").status_code == 404
    assert APIClient().post("/api/v1/leagues/night/entries/", {"bot": "ada"}, format="json").status_code == 401
