"""Health probes: alive without a database, ready only with all migrations."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from deploy.http import health_probes

pytestmark = pytest.mark.django_db


@pytest.fixture
def probe(settings: Any) -> Client:
    """Return a client that asks as a kubelet does: by the address of the pod, without TLS."""
    settings.SECURE_SSL_REDIRECT = True
    return Client(headers={"host": "10.0.0.7:8000"})


def lose_database(*_: Any) -> Any:
    raise OperationalError("connection refused")


def test_a_process_without_a_database_is_alive_but_not_ready(probe: Client) -> None:
    with connection.execute_wrapper(lose_database):
        assert probe.get("/healthz").status_code == 200
        answer = probe.get("/readyz")
    assert (answer.status_code, answer.content) == (503, b"The database does not answer.\n")


def test_health_probes_of_a_migrated_process_succeed_and_run_no_query_while_cached(
    probe: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health_probes, "CACHE_SECONDS", 3600)
    assert (probe.get("/readyz").status_code, probe.head("/readyz").status_code) == (200, 200)
    with CaptureQueriesContext(connection) as queries:
        assert probe.get("/readyz").content == b"ok\n"
        assert probe.get("/healthz").content == b"ok\n"
    assert len(queries) == 0


def test_the_readiness_probe_fails_and_names_the_missing_migration(probe: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'bots' AND name LIKE '0001%%'", [])
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('bots', '9999_newer', now())")
    answer = probe.get("/readyz")
    assert answer.status_code == 503
    assert b"Migrations are missing (bots.0001_" in answer.content
    assert b"9999_newer" not in answer.content


def test_the_health_check_answers_404_to_a_post_request_and_to_a_url_with_a_trailing_slash(client: Client) -> None:
    assert client.post("/healthz").status_code == 404
    assert client.get("/healthz/").status_code == 404
