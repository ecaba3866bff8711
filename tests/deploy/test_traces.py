"""Traces: one covers an upload up to its first rating; none contains names of people or secrets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test.utils import CaptureQueriesContext

from bots.access.api_tokens import create_token
from bots.models import BotVersion
from bots.models.bot_version_trace_contexts import BotVersionTraceContext
from bots.services import run_next_trial
from deploy.config import telemetry
from foundation import celery_worker_draining, tracing
from replays.models import Match
from replays.models.match_trace_contexts import MatchTraceContext
from replays.playing.match_runner import play_match
from tests.support.bouts import CRASHING, NOON, start_continuous_ladder
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.leagues import start_league
from tests.support.spans import Collector, ReceivedSpan, run_collector
from tests.support.uploads import GOOD, create_api_client, upload
from tournaments import match_recording
from tournaments.continuous_ladder import services as continuous_services

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = ""


@pytest.fixture
def collector(settings: Any) -> Iterator[Collector]:
    with run_collector() as collector:
        settings.TRACES_URL, settings.LADDER_RATE = collector.url, 0
        tracing._provider.cache_clear()
        yield collector
        tracing._provider().shutdown()
        tracing._provider.cache_clear()


def export_spans(collector: Collector) -> list[ReceivedSpan]:
    tracing.export_spans()
    return collector.spans()


def play_all() -> None:
    for match in Match.objects.filter(status=Match.Status.WAITING).values_list("pk", flat=True):
        assert play_match(match)
        match_recording.record(match)


def tree(spans: list[ReceivedSpan], trace: str) -> list[tuple[str, str]]:
    """Return the spans of a trace in the order of their starts, each with the name of its parent."""
    names = {span.id: span.name for span in spans if span.trace == trace}
    return [(span.name, names[span.parent] if span.parent else ROOT) for span in spans if span.trace == trace]


@pytest.mark.slow
def test_one_opentelemetry_trace_covers_a_bot_from_upload_to_first_rating(collector: Collector) -> None:
    create_active_version()
    start_continuous_ladder(60)
    assert upload(create_api_client(AuthorFactory())).status_code == 201
    assert run_next_trial()
    for minute in range(2):
        assert continuous_services.sweep(NOON + 60 * minute) == 1
        play_all()
    spans = export_spans(collector)
    first = next(span.trace for span in spans if span.name == "upload")
    assert sorted(tree(spans, first)) == [
        ("match", "match.order"),
        ("match.close", "match"),
        ("match.order", "upload"),
        ("match.play", "match"),
        ("match.record", "match.order"),
        ("match.start", "match"),
        ("match.wait", "match.order"),
        ("rating", "upload"),
        ("trial", "upload"),
        ("trial.play", "trial"),
        ("trial.start", "trial"),
        ("trial.wait", "upload"),
        ("upload", ROOT),
    ]
    (second,) = {span.trace for span in spans} - {first}
    assert [name for name, around in tree(spans, second) if around == ROOT] == ["match.order"]
    assert "rating" not in dict(tree(spans, second))
    assert all(span.started_ns <= span.ended_ns for span in spans)
    assert not BotVersionTraceContext.objects.exists()
    assert not MatchTraceContext.objects.exists()


@pytest.mark.slow
def test_a_match_of_two_new_bots_is_traced_with_the_newer_upload_and_links_to_the_older_upload(
    collector: Collector,
) -> None:
    ada, bea = AuthorFactory(), AuthorFactory()
    for author, bot in ((ada, "ada"), (bea, "bea")):
        upload(create_api_client(author), bot=bot)
        assert run_next_trial()
    start_league([BotVersion.objects.get(bot__slug=bot) for bot in ("ada", "bea")], rounds=1)
    play_all()
    spans = export_spans(collector)
    older, newer = (span for span in spans if span.name == "upload")
    (order,) = (span for span in spans if span.name == "match.order")
    assert (order.trace, order.parent, order.links) == (newer.trace, newer.id, {older.id})
    ratings = {span.trace: span.parent for span in spans if span.name == "rating"}
    assert ratings == {older.trace: older.id, newer.trace: newer.id}


@pytest.mark.slow
def test_a_match_resumed_by_another_worker_stays_in_one_trace(collector: Collector) -> None:
    start_league([create_active_version(), create_active_version()], rounds=1)
    (match,) = Match.objects.all()
    celery_worker_draining.request_handover()
    try:
        assert not play_match(match.pk)
    finally:
        celery_worker_draining.cancel_draining()
    assert play_match(match.pk)
    spans = [span for span in export_spans(collector) if span.name == "match"]
    assert [(span.attributes["ftk.attempt"], span.attributes["ftk.outcome"]) for span in spans] == [
        (1, "put back"),
        (1, "ended"),
    ]
    assert len({span.trace for span in spans}) == 1


@pytest.mark.slow
def test_a_refused_upload_is_traced_with_its_error_and_a_failed_trial_ends_the_trace(collector: Collector) -> None:
    client = create_api_client(AuthorFactory())
    assert upload(client, body=b"no archive", name="bot.zip", bot="nothing").status_code in range(400, 500)
    upload(client, body=CRASHING.encode(), bot="silent")
    assert run_next_trial()
    spans = export_spans(collector)
    assert [span.exception for span in spans if span.name == "upload"] == ["InvalidUploadError", ""]
    assert [span.attributes["ftk.passed"] for span in spans if span.name == "trial"] == [False]
    assert not BotVersionTraceContext.objects.exists()


@pytest.mark.slow
def test_traces_contain_no_names_of_people_and_no_secrets(collector: Collector) -> None:
    author = AuthorFactory(username="quite-a-person", email="somebody@example.com")
    token = create_token(author)
    client = create_api_client(author)
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    upload(client)
    run_next_trial()
    start_league([BotVersion.objects.get(), create_active_version()], rounds=1)
    seeds = [bytes(match.seed) for match in Match.objects.all()]
    play_all()
    assert export_spans(collector)
    secrets = [b"quite-a-person", b"somebody", token.encode(), token[-12:].encode(), GOOD[:30]]
    secrets += [form for seed in seeds for form in (seed, seed.hex().encode())]
    assert [secret for secret in secrets if secret in collector.bodies()] == []
    known = {"bot", "version", "bytes", "new", "passed", "game", "match", "attempt", "outcome", "entries", "recorded"}
    assert {word for span in collector.spans() for word in span.attributes} == {f"ftk.{w}" for w in (*known, "ladder")}


@pytest.mark.slow
def test_matches_continue_when_the_trace_collector_is_unreachable(
    collector: Collector, caplog: pytest.LogCaptureFixture
) -> None:
    collector.receiver.close()
    start_league([create_active_version(), create_active_version()], rounds=1)
    play_all()
    assert not Match.objects.exclude(status=Match.Status.CLOSED).exists()
    assert export_spans(collector) == []
    assert "export" in caplog.text


@pytest.mark.slow
def test_without_a_trace_collector_tracing_runs_no_sql(settings: Any) -> None:
    assert not settings.TRACES_URL
    with CaptureQueriesContext(
        connection,
    ) as made:
        upload(create_api_client(AuthorFactory()))
        run_next_trial()
        start_league([BotVersion.objects.get(), create_active_version()], rounds=1)
        play_all()
    assert len(made) > 20
    assert [query["sql"] for query in made if "trace" in query["sql"]] == []


@pytest.mark.parametrize("url", ["collector:4318", "grpc://collector:4317"])
def test_an_invalid_trace_collector_address_is_refused_with_an_example(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
    with pytest.raises(ImproperlyConfigured, match="must be like http://127"):
        telemetry.traces_url()
