"""The games over REST, and what their bots read as a schema that is fetched once."""

from __future__ import annotations

import pytest
from django.test import Client
from jsonschema_rs import Draft202012Validator

from ftk_core.games import shelf
from ftk_core.kit.house import house_bots

pytestmark = pytest.mark.django_db


def test_the_games_of_the_shelf_are_listed(client: Client) -> None:
    rows = {row["name"]: row for row in client.get("/api/v1/games/").json()["games"]}
    assert set(rows) == set(shelf())
    assert all(rows[name]["seats"] == list(row.seats) for name, row in shelf().items())
    assert all(rows[name]["house"] == list(house_bots(name)) for name in shelf())


@pytest.mark.parametrize("name", shelf())
def test_a_schema_is_fetched_with_examples_that_fit_and_once(client: Client, name: str) -> None:
    said = client.get(f"/api/v1/games/{name}/schema/")
    assert said["Content-Type"] == "application/schema+json"
    schema = said.json()
    assert all(map(Draft202012Validator(schema).is_valid, schema["examples"]))
    again = client.get(f"/api/v1/games/{name}/schema/", headers={"If-None-Match": said["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(f"/api/v1/games/{name}/schema/", headers={"If-None-Match": '"old"'}).status_code == 200


def test_a_game_that_is_not_there_is_named(client: Client) -> None:
    said = client.get("/api/v1/games/ludo/schema/")
    assert said.status_code == 404
    assert "ludo" in said.content.decode()
