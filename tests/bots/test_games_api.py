"""The REST API of games: the list, and the schema of the lines that bots read."""

from __future__ import annotations

import pytest
from django.test import Client
from jsonschema_rs import Draft202012Validator

from ftk_core.games import list_games
from ftk_core.kit.built_in_bots import list_built_in_bots

pytestmark = pytest.mark.django_db


def test_the_api_lists_all_registered_games(client: Client) -> None:
    games = {listed_game["name"]: listed_game for listed_game in client.get("/api/v1/games/").json()["games"]}
    assert set(games) == set(list_games())
    assert all(games[name]["seats"] == list(listed_game.seats) for name, listed_game in list_games().items())
    assert all(games[name]["house"] == list(list_built_in_bots(name)) for name in list_games())


@pytest.mark.parametrize("name", list_games())
def test_the_api_serves_a_game_schema_with_valid_examples_and_an_etag(client: Client, name: str) -> None:
    answer = client.get(f"/api/v1/games/{name}/schema/")
    assert answer["Content-Type"] == "application/schema+json"
    schema = answer.json()
    assert schema["examples"]
    assert all(map(Draft202012Validator(schema).is_valid, schema["examples"]))
    again = client.get(f"/api/v1/games/{name}/schema/", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(f"/api/v1/games/{name}/schema/", headers={"If-None-Match": '"old"'}).status_code == 200


def test_the_error_for_an_unknown_game_quotes_its_name(client: Client) -> None:
    answer = client.get("/api/v1/games/ludo/schema/")
    assert answer.status_code == 404
    assert "ludo" in answer.content.decode()
