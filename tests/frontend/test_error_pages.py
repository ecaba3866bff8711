"""Error pages rendered by the real web server."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from tests.support.served import serve
from tests.support.waiting import wait_for

REFUSED = {"/nowhere/": 404, "/invitations/": 403}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_an_error_page_leaves_no_database_connection_open() -> None:
    client = Client()
    client.force_login(User.objects.create_user("ada"))
    cookies = {name: str(morsel.value) for name, morsel in client.cookies.items()}
    with serve() as web:
        others = _others()
        for path, status in REFUSED.items():
            assert httpx.get(f"{web.address}{path}", cookies=cookies).status_code == status
        wait_for(lambda: _others() == others, "the connections of those who drew the pages to be given back")


def _others() -> int:
    """Return the number of other connections to the test database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        row = cursor.fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.django_db
def test_an_error_in_the_api_is_answered_with_a_problem_document(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("bots.api.games.GamesView.get", fail)
    answer = Client(raise_request_exception=False).get("/api/v1/games/")
    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")
    assert answer.json()["detail"].startswith("the arena failed")


@pytest.mark.django_db
def test_an_api_request_over_the_rate_limit_of_its_address_is_answered_with_a_problem_document(
    settings: Any, client: Client
) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "request": "1/hour"}
    answers = [client.get("/api/v1/games/") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert answers[1]["Content-Type"] == "application/problem+json"
    assert "too many requests" in answers[1].json()["detail"]
