"""Kills during a review: the stored review shows no trace of them."""

from __future__ import annotations

from typing import Any

import pytest

from ftk_core.hash_chained_log import check_chain
from replays.event_stream_storage import pages_of
from replays.models.reviews import MatchReview
from replays.reviews import review_computation
from replays.reviews.review_requests import REVIEW_KIND, request_from_shell
from replays.reviews.stored_reviews import state_of
from tests.support import killed_workers
from tests.support.lengths import LONG, short_or_long
from tests.support.reviewable import create_closed_match, create_reviewed_match

pytestmark = pytest.mark.django_db(transaction=True)

SHORT = [("pig", 2, "all"), ("kings_court", 6, "public")]
REVIEWED = short_or_long(SHORT, [*SHORT, ("for_the_king", 2, "all")])
"""Game, number of seats and viewpoint."""
STORED: dict[killed_workers.Moment, int] = {"unwritten": 0, "on its way": 0, "written": 0, "told": 1}
"""Moment of a kill -> number of stored facts. A page and the progress of the review are stored in one transaction."""


@pytest.fixture(autouse=True)
def _a_fact_a_page(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Store each fact as a page of its own, with the same bytes each time, and make reviews quick."""
    monkeypatch.setattr(review_computation, "PAGE_SECONDS", 0.0)
    settings.REVIEWS = {**settings.REVIEWS, "playouts": 2}
    settings.ATTEMPTS = 1000


def both(name: str, seats: int, eyes: str) -> tuple[MatchReview, MatchReview]:
    """Return the undisturbed review of a match, and a review not yet begun of a match with the same log."""
    whole = create_reviewed_match(create_closed_match(name, seats), eyes)
    return whole, request_from_shell(create_closed_match(name, seats).pk, eyes)


def steps(length: int) -> list[tuple[int, killed_workers.Moment]]:
    """Return the facts and moments at which workers are killed, in order."""
    dying = range(0, length, short_or_long(length // 4, max(1, length // 40)))
    return [(step, killed_workers.MOMENTS[number % 4]) for number, step in enumerate((*dying, length - 1))]


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "seats", "eyes"), REVIEWED)
def test_a_match_review_whose_workers_are_killed_many_times_equals_an_uninterrupted_one(
    name: str, seats: int, eyes: str
) -> None:
    whole, row = both(name, seats, eyes)
    undisturbed = killed_workers.list_pages(whole)
    assert [first for first, *_ in undisturbed] == list(range(whole.total)), "a fact a page"
    for step, moment in steps(whole.total):
        killed_workers.kill_reviewer_at(row, step, moment)
        assert len(killed_workers.list_pages(row)) == step + STORED[moment], f"killed at fact {step}, {moment}"
        row.refresh_from_db()
        assert (row.status, row.done) == (MatchReview.Status.RUNNING, step + STORED[moment])
    assert killed_workers.run_next_worker(REVIEW_KIND) == killed_workers.SPARED
    assert killed_workers.list_pages(row) == undisturbed
    assert list(check_chain(pages_of(row.stream_id)))
    row.refresh_from_db()
    assert (row.status, row.edition, row.attempts) == (MatchReview.Status.DONE, 1, len(steps(whole.total)) + 1)
    assert state_of(row).review == state_of(whole).review
    assert killed_workers.run_next_worker(REVIEW_KIND) == killed_workers.GAVE_UP, "it is done"


@pytest.mark.nightly
@pytest.mark.parametrize("moment", killed_workers.MOMENTS if LONG else ["on its way", "told"])
def test_a_match_review_interrupted_by_a_killed_worker_is_resumed_by_the_next_celery_task(
    moment: killed_workers.Moment,
) -> None:
    whole, row = both(*REVIEWED[0])
    killed_workers.kill_reviewer_at(row, whole.total // 2, moment)
    assert killed_workers.run_next_worker(REVIEW_KIND) == killed_workers.SPARED
    assert killed_workers.list_pages(row) == killed_workers.list_pages(whole)


@pytest.mark.nightly
def test_a_match_review_completed_before_its_worker_died_is_marked_as_done() -> None:
    whole, row = both(*REVIEWED[0])
    killed_workers.kill_reviewer_at(row, whole.total - 1, "told")
    assert killed_workers.list_pages(row) == killed_workers.list_pages(whole)
    row.refresh_from_db()
    assert row.status == MatchReview.Status.RUNNING
    assert killed_workers.run_next_worker(REVIEW_KIND) == killed_workers.SPARED
    row.refresh_from_db()
    assert (row.status, killed_workers.list_pages(row)) == (MatchReview.Status.DONE, killed_workers.list_pages(whole))


@pytest.mark.nightly
def test_a_paused_worker_keeps_its_match_review_until_the_lease_expires_then_writes_nothing() -> None:
    whole, row = both(*REVIEWED[0])
    sleeper = killed_workers.fork_reviewer(row, 20, "unwritten", killed_workers.pause_here)
    killed_workers.wait_until_paused(sleeper)
    assert killed_workers.run_next_worker(REVIEW_KIND) == killed_workers.GAVE_UP, "the lease is still good"
    killed_workers.expire_lease(row)
    assert killed_workers.run_next_worker(REVIEW_KIND) == killed_workers.SPARED
    killed_workers.resume_paused(sleeper)
    assert sleeper.exitcode == killed_workers.GAVE_UP
    assert killed_workers.list_pages(row) == killed_workers.list_pages(whole)


@pytest.mark.nightly
def test_a_match_review_that_killed_too_many_workers_is_not_retried(settings: Any) -> None:
    _, row = both(*REVIEWED[0])
    settings.ATTEMPTS = 2
    for _ in range(2):
        killed_workers.kill_reviewer_at(row, 3, "unwritten")
    assert killed_workers.run_next_worker(REVIEW_KIND) == killed_workers.SPARED
    row.refresh_from_db()
    assert (row.status, row.reason) == (
        MatchReview.Status.GIVEN_UP,
        "it did not come to an end in 2 attempts; in the last one the worker died",
    )
