"""Queues on a worker without some programming language: it does other jobs, and leaves those to other workers."""

from __future__ import annotations

from datetime import timedelta

import pytest
from celery import current_app
from django.utils import timezone

from bots import tasks as bot_tasks
from bots.models import BotVersion
from bots.models.worker_reports_and_usage import WorkerSandboxReport
from bots.sandbox import installed_programming_languages
from foundation.celery_task_messages import count_messages
from replays.models import SEATS, Match
from replays.playing import match_leases, match_runner
from replays.tasks import MAX_ATTEMPTS, play_next
from tests.support.factories import AuthorFactory, create_active_version, create_waiting_match
from tests.support.seats import create_remote_version, create_seated_match

pytestmark = pytest.mark.django_db(transaction=True)
KINDS = (Match.Kind.LEAGUE, Match.Kind.FRIENDLY, Match.Kind.LADDER)


@pytest.fixture(autouse=True)
def _machine_without_java(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (installed_programming_languages, match_runner):
        monkeypatch.setattr(module, "describe_missing", lambda _cage, name: "no java here" if name == "java" else "")


def create_java_version() -> BotVersion:
    """Return an active version that counts as a bot in Java."""
    version = create_active_version(f"pass # {BotVersion.objects.count()}")
    version.package.command = ["java", "Main.java"]
    version.package.save()
    return version


def create_match(kind: str, *versions: BotVersion) -> Match:
    """Return a waiting match of a kind, with an author of its own if it is friendly."""
    match = create_waiting_match(list(versions))
    asked_by = AuthorFactory.create() if kind == Match.Kind.FRIENDLY else None
    Match.objects.filter(pk=match.pk).update(kind=kind, asked_by=asked_by)
    return match


def empty_queue(name: str) -> None:
    with current_app.pool.acquire(block=True) as broker, broker.channel() as channel:
        channel.queue_declare(name)
        channel.queue_purge(name)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_waiting_matches_with_bots_in_an_unsupported_language_do_not_delay_other_matches(kind: str) -> None:
    java, python = create_java_version(), create_active_version()
    left = [create_match(kind, java, python) for _ in range(MAX_ATTEMPTS)]
    ours = create_match(kind, python, create_active_version())
    assert match_leases.list_in_fair_order(kind) == [ours.pk]
    assert play_next(kind)
    assert Match.objects.get(pk=ours.pk).status == Match.Status.CLOSED
    assert not match_leases.has_waiting(kind)
    assert {match.status for match in Match.objects.filter(pk__in=[match.pk for match in left])} == {"waiting"}


def test_a_worker_leaves_a_remote_match_with_a_bot_in_an_unsupported_language_to_other_workers() -> None:
    ours = create_seated_match([create_remote_version("ours"), create_active_version()])
    create_seated_match([create_remote_version("theirs"), create_java_version()])
    assert match_leases.list_in_fair_order(SEATS) == [ours.pk]
    assert len(match_leases.list_in_fair_order(SEATS, languages=["java", "python"])) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_worker_enqueues_no_messages_for_matches_in_a_language_that_it_lacks(kind: str) -> None:
    WorkerSandboxReport.objects.create(worker="java", tier="bwrap", held=True, languages={"java": "21", "python": "3"})
    create_match(kind, create_java_version(), create_active_version())
    empty_queue(kind)
    assert bot_tasks.work(kind) == ""
    assert count_messages(kind) == 0
    bot_tasks.sweep()
    assert count_messages(kind) == 1, "a worker with Java may take this message"


def test_the_sweep_enqueues_no_messages_for_matches_in_a_language_that_no_worker_supports() -> None:
    WorkerSandboxReport.objects.create(worker="python", tier="bwrap", held=True, languages={"python": "3"})
    create_match("league", create_java_version(), create_active_version())
    empty_queue("league")
    bot_tasks.sweep()
    assert count_messages("league") == 0
    WorkerSandboxReport.objects.create(worker="java", tier="bwrap", held=True, languages={"java": "21"})
    WorkerSandboxReport.objects.update(tried_at=timezone.now() - timedelta(hours=2))
    bot_tasks.sweep()
    assert count_messages("league") == 1, "without recent reports every language may be supported"


def test_a_worker_enqueues_no_messages_for_trials_in_a_language_that_it_lacks() -> None:
    BotVersion.objects.filter(pk=create_java_version().pk).update(status=BotVersion.Status.TRIAL)
    empty_queue("trials")
    assert bot_tasks.work("trials") == ""
    assert count_messages("trials") == 0
