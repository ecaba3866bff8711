"""What a collector of traces is told: one trace from an upload to its first rating, and what is never told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test.utils import CaptureQueriesContext

from bots.models import BotVersion
from bots.services import try_next
from bots.tokens import new_token
from bots.trace_models import VersionTrace
from deploy import measures
from foundation import draining, tracing
from replays.models import Match
from replays.playing.runner import play_match
from replays.trace_models import MatchTrace
from tests.support.bouts import CRASHING, NOON, begin
from tests.support.factories import AuthorFactory, active_version
from tests.support.leagues import new_league
from tests.support.spans import Collector, Told, collecting
from tests.support.uploads import GOOD, client_of, upload
from tournaments import continuous, recording

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = ""


@pytest.fixture
def collector(settings: Any) -> Iterator[Collector]:
    with collecting() as collector:
        settings.TRACES_URL, settings.LADDER_RATE = collector.url, 0
        tracing._provider.cache_clear()
        yield collector
        tracing._provider().shutdown()
        tracing._provider.cache_clear()


def told(collector: Collector) -> list[Told]:
    tracing.flush()
    return collector.spans()


def play_all() -> None:
    for match in Match.objects.filter(status=Match.Status.WAITING).values_list("pk", flat=True):
        assert play_match(match)
        recording.record(match)


def tree(spans: list[Told], trace: str) -> list[tuple[str, str]]:
    """Return the spans of a trace by their beginnings, each with the name of the one around it."""
    names = {span.id: span.name for span in spans if span.trace == trace}
    return [(span.name, names[span.parent] if span.parent else ROOT) for span in spans if span.trace == trace]


def test_one_trace_leads_from_an_upload_to_its_first_rating_and_no_further(collector: Collector) -> None:
    active_version()
    begin(60)
    assert upload(client_of(AuthorFactory())).status_code == 201
    assert try_next()
    for minute in range(2):
        assert continuous.sweep(NOON + 60 * minute) == 1
        play_all()
    spans = told(collector)
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
    assert all(span.began <= span.ended for span in spans)
    assert not VersionTrace.objects.exists()
    assert not MatchTrace.objects.exists()


def test_a_match_of_two_newcomers_is_in_the_trace_of_the_newer_and_linked_to_the_other(collector: Collector) -> None:
    ada, bea = AuthorFactory(), AuthorFactory()
    for author, bot in ((ada, "ada"), (bea, "bea")):
        upload(client_of(author), bot=bot)
        assert try_next()
    new_league([BotVersion.objects.get(bot__slug=bot) for bot in ("ada", "bea")], rounds=1)
    play_all()
    spans = told(collector)
    older, newer = (span for span in spans if span.name == "upload")
    (order,) = (span for span in spans if span.name == "match.order")
    assert (order.trace, order.parent, order.links) == (newer.trace, newer.id, {older.id})
    ratings = {span.trace: span.parent for span in spans if span.name == "rating"}
    assert ratings == {older.trace: older.id, newer.trace: newer.id}


def test_what_a_worker_gave_up_and_another_played_on_is_one_trace(collector: Collector) -> None:
    new_league([active_version(), active_version()], rounds=1)
    (match,) = Match.objects.all()
    draining.ask_to_leave()
    try:
        assert not play_match(match.pk)
    finally:
        draining.stay()
    assert play_match(match.pk)
    spans = [span for span in told(collector) if span.name == "match"]
    assert [(span.said["ftk.attempt"], span.said["ftk.outcome"]) for span in spans] == [(1, "put back"), (1, "ended")]
    assert len({span.trace for span in spans}) == 1


def test_a_refused_upload_is_named_by_its_kind_and_a_failed_trial_ends_its_trace(collector: Collector) -> None:
    client = client_of(AuthorFactory())
    assert upload(client, body=b"no archive", name="bot.zip", bot="nothing").status_code in range(400, 500)
    upload(client, body=CRASHING.encode(), bot="silent")
    assert try_next()
    spans = told(collector)
    assert [span.wrong for span in spans if span.name == "upload"] == ["BadUpload", ""]
    assert [span.said["ftk.passed"] for span in spans if span.name == "trial"] == [False]
    assert not VersionTrace.objects.exists()


def test_nobody_is_named_and_nothing_secret_is_told(collector: Collector) -> None:
    author = AuthorFactory(username="quite-a-person", email="somebody@example.com")
    token = new_token(author)
    client = client_of(author)
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    upload(client)
    try_next()
    new_league([BotVersion.objects.get(), active_version()], rounds=1)
    seeds = [bytes(match.seed) for match in Match.objects.all()]
    play_all()
    assert told(collector)
    secrets = [b"quite-a-person", b"somebody", token.encode(), token[-12:].encode(), GOOD[:30]]
    secrets += [form for seed in seeds for form in (seed, seed.hex().encode())]
    assert [secret for secret in secrets if secret in collector.bodies()] == []
    known = {"bot", "version", "bytes", "new", "passed", "game", "match", "attempt", "outcome", "entries", "recorded"}
    assert {word for span in collector.spans() for word in span.said} == {f"ftk.{w}" for w in (*known, "ladder")}


@pytest.mark.slow
def test_a_collector_that_is_away_keeps_nobody_from_playing(
    collector: Collector, caplog: pytest.LogCaptureFixture
) -> None:
    collector.receiver.close()
    new_league([active_version(), active_version()], rounds=1)
    play_all()
    assert not Match.objects.exclude(status=Match.Status.CLOSED).exists()
    assert told(collector) == []
    assert "export" in caplog.text


def test_without_a_collector_no_statement_is_made_for_traces(settings: Any) -> None:
    assert not settings.TRACES_URL
    with CaptureQueriesContext(
        connection,
    ) as made:
        upload(client_of(AuthorFactory()))
        try_next()
        new_league([BotVersion.objects.get(), active_version()], rounds=1)
        play_all()
    assert len(made) > 20
    assert [query["sql"] for query in made if "trace" in query["sql"]] == []


@pytest.mark.parametrize("url", ["collector:4318", "grpc://collector:4317"])
def test_an_address_that_is_none_is_refused_with_an_example(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
    with pytest.raises(ImproperlyConfigured, match="must be like http://127"):
        measures.traces_url()
