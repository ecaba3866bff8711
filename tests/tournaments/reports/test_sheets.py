"""Downloads of the sheets of a league."""

from __future__ import annotations

import pytest
from django.test import Client

from ftk_core.league.event_fields import StageSettings
from ftk_core.league.publication.spreadsheets import FILES, file_of
from ftk_core.league.scoring.tiebreaks import UnknownTiebreakError
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments.api import exports
from tournaments.leagues.league_event_projection import load
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)
KINDS = {"csv": "text/csv", "json": "application/json", "trf": "text/plain"}


@pytest.mark.slow
def test_every_sheet_of_a_league_can_be_downloaded_and_is_linked_from_its_page(client: Client) -> None:
    play_all(start_league(create_entrants()))
    _, folded = load(League.objects.get())
    page = client.get("/leagues/night/").content.decode()
    for name in FILES:
        answer = client.get(f"/api/v1/leagues/night/sheets/{name}")
        assert answer.status_code == 200
        assert answer.content == file_of(folded, name)
        assert answer["Content-Type"].startswith(KINDS[name.rpartition(".")[2]])
        assert answer["Content-Disposition"] == f'attachment; filename="night-{name}"'
        assert f"/api/v1/leagues/night/sheets/{name}" in page


def test_the_api_returns_404_for_an_unknown_sheet_and_409_for_a_sheet_the_league_cannot_provide(client: Client) -> None:
    start_league(create_entrants(), seats=4)
    assert client.get("/api/v1/leagues/day/sheets/standings.csv").status_code == 404
    assert client.get("/api/v1/leagues/night/sheets/standings.xls").status_code == 404
    refused = client.get("/api/v1/leagues/night/sheets/league.trf")
    assert refused.status_code == 409
    assert "not such a league" in refused.json()["detail"]
    assert "league.trf" not in client.get("/leagues/night/").content.decode()


def test_the_error_404_for_a_sheet_names_the_tiebreak_that_is_not_installed(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_league(create_entrants(), seats=4)

    def fail(_slug: str, _name: str) -> bytes:
        raise UnknownTiebreakError("the tie-break 'gone' is not installed")

    monkeypatch.setattr(exports, "read_sheet", fail)
    answer = client.get("/api/v1/leagues/night/sheets/standings.csv")
    assert answer.status_code == 404
    assert "gone" in answer.json()["detail"]


@pytest.mark.slow
def test_the_page_of_a_league_of_several_stages_has_no_link_to_a_trf_file(client: Client) -> None:
    stages = (StageSettings(format="swiss", seats=2, rounds=1), StageSettings(format="knockout", seats=2, qualify=2))
    start_league(create_entrants(), stages=stages)
    assert "league.trf" not in client.get("/leagues/night/").content.decode()
