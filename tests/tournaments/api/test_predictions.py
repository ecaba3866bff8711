"""REST API of predictions: access with a token without the scope `read`."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from bots.access.api_tokens import create_token
from tests.support.factories import AuthorFactory
from tests.support.leagues import create_entrants, start_league
from tournaments.leagues.league_event_projection import load
from tournaments.models.predictions import Prediction
from tournaments.predictions.services import PredictionInput, set_predictions


@pytest.mark.django_db
def test_a_token_without_the_scope_read_stores_predictions_and_sees_none() -> None:
    fan, league = AuthorFactory.create(), start_league(create_entrants(), held=True)
    draft = load(league)[1].draft
    assert draft
    first, second = (table.seating[0] for table in draft.tables)
    set_predictions(fan, "night", [PredictionInput(1, 1, first)])

    def store_with(*scopes: str) -> Any:
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {create_token(fan, scopes=list(scopes))}")
        wanted = {"predictions": [{"round": 1, "table": 2, "entry": second}]}
        return client.put("/api/v1/leagues/night/predictions/", wanted, format="json")

    stored = store_with("enter")
    assert (stored.status_code, stored.json()) == (200, {"allowed": True, "tables": [], "after": "", "old": []})
    assert [one.entry for one in Prediction.objects.order_by("table")] == [first, second]
    assert [table["chosen"] for table in store_with("enter", "read").json()["tables"]] == [first, second]
