"""Numbers in predictions that the API accepts: those that the database can store."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.support.factories import AuthorFactory
from tests.support.league_entries import open_league

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("field", "largest"), [("round", 2**15 - 1), ("table", 2**15 - 1), ("entry", 2**31 - 1)])
def test_a_prediction_with_a_number_that_the_database_cannot_store_is_invalid(
    client: Client, field: str, largest: int
) -> None:
    open_league()
    client.force_login(AuthorFactory.create())
    for value in (largest, largest + 1):
        wanted = {"predictions": [{"round": 1, "table": 1, "entry": 1, field: value}]}
        answer = client.put("/api/v1/leagues/night/predictions/", wanted, content_type="application/json")
        assert answer.status_code in {400, 409}
        assert (f"less than or equal to {largest}" in answer.content.decode()) == (value > largest)
