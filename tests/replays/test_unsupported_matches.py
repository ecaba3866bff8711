"""Matches that no worker can play, for lack of a language or their game's code, end with a reason after some time."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from bots import worker_sandbox_report_queries
from bots.models import BotVersion
from bots.models.worker_reports_and_usage import WorkerSandboxReport
from replays import tasks
from replays.human_play import questions_to_humans
from replays.models import Match, SeatQuestionMailbox
from replays.playing import match_leases, match_runner
from replays.services import verify_match
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.seats import create_person_version, create_seated_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _started_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_sandbox_report_queries, "_STARTED", float("-inf"))


def create_java_version() -> BotVersion:
    """Return an active version that counts as a bot in Java."""
    version = create_active_version(f"pass # {BotVersion.objects.count()}")
    version.package.command = ["java", "Main.java"]
    version.package.save()
    return version


def report(worker: str, *languages: str, hours: float = 0, held: bool = True) -> None:
    """Store a worker's report of some hours ago."""
    WorkerSandboxReport.objects.create(worker=worker, tier="bwrap", held=held, languages=dict.fromkeys(languages, "1"))
    WorkerSandboxReport.objects.filter(worker=worker).update(tried_at=timezone.now() - timedelta(hours=hours))


def make_old(match: Match, hours: float, *columns: str) -> None:
    """Set time columns of a match, by default `created_at`, to some hours ago."""
    Match.objects.filter(pk=match.pk).update(
        **dict.fromkeys(columns or ("created_at",), timezone.now() - timedelta(hours=hours))
    )


def sweep(match: Match) -> str:
    """Run the periodic task and return the match's status."""
    tasks.end_unsupported()
    match.refresh_from_db()
    return str(match.status)


@pytest.mark.parametrize(("reported", "hours"), [(False, 1), (True, 24)])
def test_a_match_is_voided_with_a_reason_after_hours_without_a_worker_that_supports_its_language(
    *, reported: bool, hours: int
) -> None:
    report("python", "python")
    report("java", "java", "python", hours=hours + 0.1, held=reported)
    match = create_waiting_match([create_java_version(), create_active_version()])
    make_old(match, hours - 0.1)
    assert sweep(match) == Match.Status.WAITING
    make_old(match, hours + 0.1)
    assert sweep(match) == Match.Status.VOID
    assert match.reason.startswith(f"no worker of this arena played Java within {hours} hours; the organiser installs")
    assert verify_match(match.pk).void == match.reason


def test_an_old_match_is_not_voided_while_a_running_worker_supports_its_programming_language() -> None:
    report("java", "java", "python")
    match = create_waiting_match([create_java_version(), create_java_version()])
    make_old(match, 25)
    assert sweep(match) == Match.Status.WAITING


def test_an_old_match_is_not_voided_if_a_worker_with_its_language_reported_within_the_last_day() -> None:
    report("python", "python")
    report("java", "java", hours=23)
    match = create_waiting_match([create_java_version(), create_java_version()])
    make_old(match, 50)
    assert sweep(match) == Match.Status.WAITING


def test_an_unsupported_match_ordered_long_ago_is_not_voided_if_a_choice_was_just_made() -> None:
    report("python", "python")
    report("java", "java", hours=25)
    match = create_waiting_match([create_java_version(), create_java_version()])
    lease = match_leases.claim(match.pk, "a worker with Java")
    assert lease is not None
    match_leases.release(lease, tried=False)
    make_old(match, 50)
    assert sweep(match) == Match.Status.PLAYING
    make_old(match, 25, "lease_until")
    assert sweep(match) == Match.Status.VOID


@pytest.mark.slow
def test_an_unsupported_match_is_voided_only_a_day_after_the_last_answer_of_its_human_player(settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    person, bot = create_person_version(), create_active_version()
    match = create_seated_match([person, bot])
    match_runner.play_match(match.pk)
    bot.package.command = ["java", "Main.java"]
    bot.package.save()
    report("python", "python")
    report("java", "java", hours=48)
    make_old(match, 48)
    make_old(match, 48, "opened_at")
    assert sweep(match) == Match.Status.ADJOURNED
    box = SeatQuestionMailbox.objects.get(seat__match=match)
    questions_to_humans.store_answer(match.pk, 0, box.number, 0, person.bot.owner)
    assert sweep(match) == Match.Status.WAITING
    SeatQuestionMailbox.objects.filter(seat__match=match).update(answered_at=timezone.now() - timedelta(hours=25))
    assert sweep(match) == Match.Status.VOID


@pytest.mark.parametrize("is_adjourned", [False, True])
def test_a_friendly_match_begun_before_an_upgrade_is_voided_a_day_after_its_last_activity(
    settings: Any, *, is_adjourned: bool
) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = create_seated_match([create_person_version(), create_active_version()])
    match_runner.play_match(match.pk)
    status = Match.Status.ADJOURNED if is_adjourned else Match.Status.WAITING
    Match.objects.filter(pk=match.pk).update(build="0.0.9+0123456789abcdef", status=status)
    make_old(match, 25)
    assert sweep(match) == status
    make_old(match, 25, "opened_at")
    assert sweep(match) == Match.Status.VOID
    assert "the code that began it (0.0.9+0123456789abcdef) continued it within 24 hours" in match.reason
    assert verify_match(match.pk).void == match.reason


def test_a_league_match_begun_before_an_upgrade_is_left_to_the_organiser() -> None:
    match = create_waiting_match([create_active_version(), create_active_version()])
    Match.objects.filter(pk=match.pk).update(build="0.0.9+0123456789abcdef", version=1, kind=Match.Kind.LEAGUE)
    make_old(match, 50)
    assert sweep(match) == Match.Status.WAITING


@pytest.mark.parametrize("python_hours", [0, 50])
def test_no_match_is_voided_before_workers_could_report_after_a_server_restart(
    monkeypatch: pytest.MonkeyPatch, python_hours: int
) -> None:
    report("python", "python", hours=python_hours)
    report("java", "java", hours=50)
    match = create_waiting_match([create_java_version(), create_java_version()])
    make_old(match, 50)
    if not python_hours:
        monkeypatch.setattr(worker_sandbox_report_queries, "_STARTED", time.monotonic())
    assert sweep(match) == Match.Status.WAITING
