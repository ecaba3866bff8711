"""Metrics endpoint for Prometheus, protected by a token."""

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
from replays.models import Match, MatchAudit
from replays.models.failed_background_work import FailedWork
from replays.models.reviews import MatchReview
from replays.reports.match_health import read_running_work
from replays.reviews.review_requests import request_from_shell
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.prometheus import check_metrics, parse_samples
from tests.support.reviewable import create_closed_match

TOKEN = "a-token-of-the-settings"
KNOWN = {"Authorization": f"Bearer {TOKEN}"}
GROWING = ("match", "matchseat", "page", "stream", "matchaudit")
"""Tables that grow with every match. No query may scan such a table or its whole index."""
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def named(settings: Any) -> None:
    cache.delete("metrics")
    settings.METRICS_TOKEN = TOKEN


def text(client: Client) -> str:
    return client.get("/metrics", headers=KNOWN).content.decode()


def test_the_prometheus_gauges_equal_the_row_counts_in_the_database(client: Client) -> None:
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
    version = create_active_version()
    BotVersion.objects.filter(pk=version.pk).update(
        status=BotVersion.Status.TRIAL, uploaded_at=now - timedelta(hours=3)
    )
    review = request_from_shell(create_closed_match().pk, "all")
    MatchReview.objects.filter(pk=review.pk).update(asked_at=now - timedelta(hours=2))
    said = parse_samples(text(client))
    assert 2 * 3600 <= said[("ftk_review_age_seconds",)] < 3 * 3600
    assert 3 * 3600 <= said[("ftk_trial_age_seconds",)] < 4 * 3600
    assert 3600 <= said[("ftk_queue_age_seconds",)] < 7200
    assert 0 <= said[("ftk_audit_age_seconds",)] < 3600
    assert said[("ftk_archive_bytes",)] > 0
    expected = {
        ("ftk_matches", "waiting"): 2,
        ("ftk_matches", "playing"): 2,
        ("ftk_matches", "adjourned"): 0,
        ("ftk_matches", "closed"): 2,
        ("ftk_matches", "void"): 0,
        ("ftk_leases_overdue",): 1,
        ("ftk_workers_playing",): 1,
        ("ftk_audit_differences",): 1,
        ("ftk_work_left_aside", "rating"): 1,
    }
    assert {name: said[name] for name in expected} == expected


def test_matches_that_wait_for_others_of_a_person_or_for_another_build_do_not_wait_for_a_worker() -> None:
    now, author = timezone.now(), AuthorFactory.create()
    friendly: dict[str, Any] = {"game": "pig", "kind": Match.Kind.FRIENDLY, "asked_by": author}
    held = Match.objects.create(**friendly, status=Match.Status.PLAYING, lease_until=now + timedelta(hours=1))
    waiting = [Match.objects.create(**friendly).pk, Match.objects.create(game="pig", build="another").pk]
    Match.objects.filter(pk__in=waiting).update(created_at=now - timedelta(hours=1))
    past = now - timedelta(minutes=1)
    Match.objects.create(game="pig", build="another", status=Match.Status.PLAYING, lease_until=past)
    counted = read_running_work()
    assert (counted.waited_s, counted.overdue) == (0, 0)
    Match.objects.filter(pk=held.pk).update(outside=True)
    assert read_running_work().waited_s >= 3600, "a match with a remote bot does not count against others"
    Match.objects.filter(pk=held.pk).update(outside=False, lease_until=past)
    counted = read_running_work()
    assert counted.waited_s >= 3600
    assert counted.overdue == 1


def test_metrics_are_valid_prometheus_text_and_name_no_match_or_worker(client: Client) -> None:
    match = Match.objects.create(game="pig", status=Match.Status.PLAYING, holder="a-worker")
    said = text(client)
    check_metrics(said)
    assert match.pk not in said
    assert "a-worker" not in said
    labels = {label for family in parse_samples(said) for label in family[1:]}
    assert len(labels) < 60, sorted(labels)


def test_a_worker_that_plays_several_matches_is_counted_once_in_the_metric_of_workers(client: Client) -> None:
    for holder in ("host:1:0123abcd", "host:1:4567cdef", "host:2:0123abcd"):
        Match.objects.create(game="pig", status=Match.Status.PLAYING, holder=holder)
    assert parse_samples(text(client))[("ftk_workers_playing",)] == 2


def test_a_repeated_request_for_metrics_does_not_query_the_match_table(client: Client) -> None:
    text(client)
    with CaptureQueriesContext(connection) as asked:
        text(client)
    assert [query["sql"] for query in asked if "replays_match" in query["sql"]] == []


def test_without_any_audit_the_audit_age_is_counted_from_the_end_of_the_oldest_match(client: Client) -> None:
    assert ("ftk_audit_age_seconds",) not in parse_samples(text(client))
    cache.clear()
    now = timezone.now()
    for days in (5, 1):
        Match.objects.create(game="pig", status=Match.Status.CLOSED, closed_at=now - timedelta(days=days))
    assert 5 * 86400 <= parse_samples(text(client))[("ftk_audit_age_seconds",)] < 5 * 86400 + 60


def test_metrics_queries_scan_no_table_that_grows_with_the_number_of_matches() -> None:
    read_running_work()
    with CaptureQueriesContext(connection) as asked:
        read_running_work()
    whole = re.compile(rf"Seq Scan on replays_({'|'.join(GROWING)})\b|using replays_match(audit)?_pkey")
    with connection.cursor() as cursor:
        # otherwise PostgreSQL always scans an empty table sequentially
        cursor.execute("SET LOCAL enable_seqscan = off")
        for query in asked.captured_queries:
            cursor.execute(f"EXPLAIN {query['sql']}")
            plan = "\n".join(row[0] for row in cursor.fetchall())
            assert not whole.search(plan), plan
    assert len(asked) <= 7


@pytest.mark.parametrize("sent", ["", "Bearer", "Bearer another", f"Token {TOKEN}", f"Bearer {TOKEN}\u00e9"])
def test_a_wrong_metrics_token_is_refused(client: Client, sent: str) -> None:
    answer = client.get("/metrics", HTTP_AUTHORIZATION=sent)
    assert answer.status_code == 401
    assert "FTK_METRICS_TOKEN" in answer.json()["detail"]
    assert b"ftk_matches" not in answer.content


def test_without_a_configured_token_the_metrics_url_is_404(client: Client, settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer ").status_code == 404
