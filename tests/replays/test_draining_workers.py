"""Draining workers: they give up their work, and no worker continues work of another build."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils import timezone

from bots.jobs.fair_job_scheduling import do_next_job
from foundation import celery_worker_draining
from ftk_core import log_writer
from ftk_core.games import build_of
from replays.event_stream_storage import EventAppender
from replays.models import Match
from replays.models.reviews import MatchReview
from replays.playing import match_leases, match_runner, resumable_matches
from replays.playing.match_runner import play_match
from replays.reviews import review_computation
from replays.reviews.review_requests import request_from_shell
from replays.services import verify_match
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.reviewable import create_closed_match

pytestmark = pytest.mark.django_db(transaction=True)
OTHER = "0.0.9+0123456789abcdef"


@pytest.fixture(autouse=True)
def _stays() -> Iterator[None]:
    """Cancel the draining state after each test."""
    yield
    celery_worker_draining.cancel_draining()


@pytest.fixture
def match() -> Match:
    return create_waiting_match([create_active_version(), create_active_version()])


def begun(match: Match, monkeypatch: pytest.MonkeyPatch) -> Match:
    """Return a match that a draining worker gave up after its first page."""
    durable = match_runner._after_page_stored

    def ask(*words: object) -> None:
        celery_worker_draining.request_handover()
        durable(*words)  # type: ignore[arg-type]  # whatever it is given

    monkeypatch.setattr(log_writer, "MAX_PAGE_ENTRIES", 10)
    monkeypatch.setattr(match_runner, "_after_page_stored", ask)
    assert not play_match(match.pk)
    monkeypatch.undo()
    match.refresh_from_db()
    return match


@pytest.mark.slow
def test_a_match_returned_by_a_worker_that_shuts_down_gracefully_is_resumed_immediately(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = EventAppender(begun(match, monkeypatch).stream_id).length
    assert stored
    assert (match.status, match.attempts) == (Match.Status.PLAYING, 0)
    assert match.lease_until <= timezone.now()
    celery_worker_draining.cancel_draining()
    assert play_match(match.pk)
    assert EventAppender(match.stream_id).length > stored
    assert verify_match(match.pk)


@pytest.mark.slow
def test_a_match_review_continues_where_a_worker_stopped_to_shut_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = request_from_shell(create_closed_match().pk, "all")
    store = review_computation._ReviewComputation._store

    def store_and_request_handover(computation: review_computation._ReviewComputation, lines: list[bytes]) -> None:
        store(computation, lines)
        celery_worker_draining.request_handover()

    monkeypatch.setattr(review_computation, "PAGE_SECONDS", 0.0)
    monkeypatch.setattr(review_computation._ReviewComputation, "_store", store_and_request_handover)
    assert not review_computation.compute_review(row.pk)
    monkeypatch.undo()
    row.refresh_from_db()
    assert (row.status, row.attempts) == (MatchReview.Status.RUNNING, 0)
    assert 0 < row.done < row.total
    celery_worker_draining.cancel_draining()
    assert review_computation.compute_review(row.pk)
    row.refresh_from_db()
    assert (row.status, row.done) == (MatchReview.Status.DONE, row.total)


def test_a_worker_that_shuts_down_gracefully_starts_no_job(match: Match) -> None:
    celery_worker_draining.request_handover()
    assert not do_next_job("league")
    match.refresh_from_db()
    assert (match.status, match.attempts) == (Match.Status.WAITING, 0)


@pytest.mark.slow
def test_a_worker_asked_to_finish_completes_its_match_and_starts_no_further_match(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    durable = match_runner._after_page_stored

    def ask(*words: object) -> None:
        celery_worker_draining.request_finish()
        durable(*words)  # type: ignore[arg-type]  # whatever it is given

    monkeypatch.setattr(match_runner, "_after_page_stored", ask)
    assert play_match(match.pk)
    another = create_waiting_match([create_active_version(), create_active_version()])
    assert not do_next_job("league")
    another.refresh_from_db()
    assert (another.status, another.attempts) == (Match.Status.WAITING, 0)
    celery_worker_draining.request_handover()
    assert celery_worker_draining.is_handover_requested()


@pytest.mark.slow
def test_a_match_started_by_another_software_build_waits_for_a_worker_with_that_build(
    match: Match, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    begun(match, monkeypatch)
    celery_worker_draining.cancel_draining()
    assert match.build == build_of("pig")
    Match.objects.filter(pk=match.pk).update(build=OTHER)
    assert not play_match(match.pk)
    assert match_leases.list_in_fair_order("league") == []
    assert resumable_matches.count_other_builds() == {OTHER: 1}
    assert OTHER in client.get("/status/").content.decode()
    Match.objects.filter(pk=match.pk).update(build=build_of("pig"))
    assert resumable_matches.count_other_builds() == {}
    assert play_match(match.pk)


@pytest.mark.slow
def test_a_match_of_an_unknown_rules_version_waits_for_another_worker(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(match, monkeypatch)
    celery_worker_draining.cancel_draining()
    known = match.version
    Match.objects.filter(pk=match.pk).update(version=99)
    assert not play_match(match.pk)
    match.refresh_from_db()
    assert (match.status, match.attempts) == (Match.Status.PLAYING, 0)
    Match.objects.filter(pk=match.pk).update(version=known)
    assert play_match(match.pk)
