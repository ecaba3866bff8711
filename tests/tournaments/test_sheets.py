"""A league's sheets are there for whoever asks, and a sheet that cannot be is refused with a sentence."""

from __future__ import annotations

import pytest
from django.test import Client

from ftk_core.league.sheets import FILES, file_of
from tests.support.leagues import entrants, new_league, play_all
from tournaments.models import League
from tournaments.projections import load

pytestmark = pytest.mark.django_db(transaction=True)
KINDS = {"csv": "text/csv", "json": "application/json", "trf": "text/plain"}


@pytest.mark.slow
def test_every_sheet_of_a_league_comes_through_the_door_and_is_linked_from_its_page(client: Client) -> None:
    play_all(new_league(entrants()))
    _, folded = load(League.objects.get())
    page = client.get("/leagues/night/").content.decode()
    for name in FILES:
        answer = client.get(f"/api/v1/leagues/night/sheets/{name}")
        assert answer.status_code == 200
        assert answer.content == file_of(folded, name)
        assert answer["Content-Type"].startswith(KINDS[name.rpartition(".")[2]])
        assert answer["Content-Disposition"] == f'attachment; filename="night-{name}"'
        assert f"/api/v1/leagues/night/sheets/{name}" in page


def test_what_is_not_there_is_404_and_what_cannot_be_said_409(client: Client) -> None:
    new_league(entrants(), seats=4)
    assert client.get("/api/v1/leagues/day/sheets/standings.csv").status_code == 404
    assert client.get("/api/v1/leagues/night/sheets/standings.xls").status_code == 404
    refused = client.get("/api/v1/leagues/night/sheets/league.trf")
    assert refused.status_code == 409
    assert "no such league" in refused.json()["detail"]
    assert "league.trf" not in client.get("/leagues/night/").content.decode()
