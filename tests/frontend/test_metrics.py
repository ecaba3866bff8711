"""Programs that watch over an arena read how it goes, with the token of the settings and no other way."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from bots.models import BotVersion
from replays.failed_work_models import FailedWork
from replays.models import Match, MatchAudit
from replays.reports.health import read_going
from tests.support.factories import active_version
from tests.support.scraped import check, samples

TOKEN = "a-token-of-the-settings"
KNOWN = {"Authorization": f"Bearer {TOKEN}"}
GROWING = ("match", "matchseat", "page", "stream", "matchaudit")
"""Tables that have more rows with every match; a whole one, or its whole index, is never looked through."""
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def named(settings: Any) -> None:
    cache.delete("metrics")
    settings.METRICS_TOKEN = TOKEN


def text(client: Client) -> str:
    return client.get("/metrics", headers=KNOWN).content.decode()


def test_the_gauges_are_what_the_database_has(client: Client) -> None:
    now = timezone.now()
    old = Match.objects.create(game="pig")
    Match.objects.filter(pk=old.pk).update(created_at=now - timedelta(hours=1))
    Match.objects.create(game="pig")
    for holder, until in (("one", now + timedelta(hours=1)), ("one", now - timedelta(hours=1))):
        Match.objects.create(game="pig", status=Match.Status.PLAYING, holder=holder, lease_until=until)
    closed = Match.objects.create(game="pig", status=Match.Status.CLOSED)
    MatchAudit.objects.create(match=closed, build="pig 1", found="its head")
    FailedWork.objects.create(kind="rating", subject="1/1", left_at=now)
    FailedWork.objects.create(kind="rating", subject="1/2")
    version = active_version()
    BotVersion.objects.filter(pk=version.pk).update(
        status=BotVersion.Status.TRIAL, uploaded_at=now - timedelta(hours=3)
    )
    said = samples(text(client))
    assert 3 * 3600 <= said[("ftk_trial_age_seconds",)] < 4 * 3600
    assert 3600 <= said[("ftk_queue_age_seconds",)] < 7200
    assert 0 <= said[("ftk_audit_age_seconds",)] < 3600
    assert said[("ftk_archive_bytes",)] > 0
    expected = {
        ("ftk_matches", "waiting"): 2,
        ("ftk_matches", "playing"): 2,
        ("ftk_matches", "adjourned"): 0,
        ("ftk_matches", "closed"): 1,
        ("ftk_matches", "void"): 0,
        ("ftk_leases_overdue",): 1,
        ("ftk_workers_playing",): 1,
        ("ftk_audit_differences",): 1,
        ("ftk_work_left_aside", "rating"): 1,
    }
    assert {name: said[name] for name in expected} == expected


def test_what_is_said_is_as_prometheus_wants_it_and_names_nobody(client: Client) -> None:
    match = Match.objects.create(game="pig", status=Match.Status.PLAYING, holder="a-worker")
    said = text(client)
    check(said)
    assert match.pk not in said
    assert "a-worker" not in said
    labels = {label for family in samples(said) for label in family[1:]}
    assert len(labels) < 60, sorted(labels)


def test_who_asks_again_at_once_costs_no_query_over_matches(client: Client) -> None:
    text(client)
    with CaptureQueriesContext(connection) as asked:
        text(client)
    assert [query["sql"] for query in asked if "replays_match" in query["sql"]] == []


def test_no_table_that_grows_with_the_past_is_looked_through() -> None:
    read_going()
    with CaptureQueriesContext(connection) as asked:
        read_going()
    whole = re.compile(rf"Seq Scan on replays_({'|'.join(GROWING)})\b|using replays_match(audit)?_pkey")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # else a table of no rows is always looked through
        for query in asked.captured_queries:
            cursor.execute(f"EXPLAIN {query['sql']}")
            plan = "\n".join(row[0] for row in cursor.fetchall())
            assert not whole.search(plan), plan
    assert len(asked) <= 7


@pytest.mark.parametrize("sent", ["", "Bearer", "Bearer another", f"Token {TOKEN}", f"Bearer {TOKEN}\u00e9"])
def test_another_token_is_refused_with_a_sentence(client: Client, sent: str) -> None:
    answer = client.get("/metrics", HTTP_AUTHORIZATION=sent)
    assert answer.status_code == 401
    assert "FTK_METRICS_TOKEN" in answer.json()["detail"]
    assert b"ftk_matches" not in answer.content


def test_without_a_token_in_the_settings_there_is_no_such_address(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer ").status_code == 404
