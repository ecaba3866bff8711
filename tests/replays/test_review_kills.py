"""A worker is killed in the midst of a review, and nobody can tell from what is stored."""

from __future__ import annotations

from typing import Any

import pytest

from ftk_core.log import check_chain
from replays.review_models import Review
from replays.reviews import working
from replays.reviews.asking import REVIEWS, ask_at_the_shell
from replays.reviews.reading import state_of
from replays.store import pages_of
from tests.support import victims
from tests.support.lengths import LONG, either
from tests.support.reviewable import closed_match, reviewed_match

pytestmark = pytest.mark.django_db(transaction=True)

SHORT = [("pig", 2, "all"), ("kings_court", 6, "public")]
REVIEWED = either(SHORT, [*SHORT, ("for_the_king", 2, "all")])
"""Games, seats and eyes."""
STORED: dict[victims.Moment, int] = {"unwritten": 0, "on its way": 0, "written": 0, "told": 1}
"""How many facts of its page a worker leaves behind: a page is stored with how far the review is, or not at all."""


@pytest.fixture(autouse=True)
def _a_fact_a_page(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Make each fact a boundary, and its bytes the same whenever it is stored; let the review be rough."""
    monkeypatch.setattr(working, "PAGE_SECONDS", 0.0)
    settings.REVIEWS = {**settings.REVIEWS, "playouts": 2}
    settings.ATTEMPTS = 1000


def both(name: str, seats: int, eyes: str) -> tuple[Review, Review]:
    """Return the undisturbed review of a match, and one of a match with the same log that nobody has begun."""
    whole = reviewed_match(closed_match(name, seats), eyes)
    return whole, ask_at_the_shell(closed_match(name, seats).pk, eyes)


def steps(length: int) -> list[tuple[int, victims.Moment]]:
    """Return at which facts and moments workers die, one behind the other."""
    dying = range(0, length, either(length // 4, max(1, length // 40)))
    return [(step, victims.MOMENTS[number % 4]) for number, step in enumerate((*dying, length - 1))]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "eyes"), REVIEWED)
def test_a_review_that_cost_many_workers_their_lives_is_the_one_that_nothing_disturbed(
    name: str, seats: int, eyes: str
) -> None:
    whole, row = both(name, seats, eyes)
    undisturbed = victims.pages(whole)
    assert [first for first, *_ in undisturbed] == list(range(whole.total)), "a fact a page"
    for step, moment in steps(whole.total):
        victims.kill_reviewing(row, step, moment)
        assert len(victims.pages(row)) == step + STORED[moment], f"killed at fact {step}, {moment}"
        row.refresh_from_db()
        assert (row.status, row.done) == (Review.Status.RUNNING, step + STORED[moment])
    assert victims.next_worker(REVIEWS) == victims.SPARED
    assert victims.pages(row) == undisturbed
    assert list(check_chain(pages_of(row.stream_id)))
    row.refresh_from_db()
    assert (row.status, row.edition, row.attempts) == (Review.Status.DONE, 1, len(steps(whole.total)) + 1)
    assert state_of(row).review == state_of(whole).review
    assert victims.next_worker(REVIEWS) == victims.GAVE_UP, "it is done"


@pytest.mark.slow
@pytest.mark.parametrize("moment", victims.MOMENTS if LONG else ["on its way", "told"])
def test_a_review_of_which_one_worker_died_is_taken_up_by_the_next_that_is_rung_for(moment: victims.Moment) -> None:
    whole, row = both(*REVIEWED[0])
    victims.kill_reviewing(row, whole.total // 2, moment)
    assert victims.next_worker(REVIEWS) == victims.SPARED
    assert victims.pages(row) == victims.pages(whole)


@pytest.mark.slow
def test_a_worker_that_died_before_it_said_that_the_review_is_done_leaves_nothing_but_that_to_say() -> None:
    whole, row = both(*REVIEWED[0])
    victims.kill_reviewing(row, whole.total - 1, "told")
    assert victims.pages(row) == victims.pages(whole)
    row.refresh_from_db()
    assert row.status == Review.Status.RUNNING
    assert victims.next_worker(REVIEWS) == victims.SPARED
    row.refresh_from_db()
    assert (row.status, victims.pages(row)) == (Review.Status.DONE, victims.pages(whole))


@pytest.mark.slow
def test_nobody_takes_up_a_review_whose_worker_is_slow_and_one_that_wakes_too_late_writes_nothing() -> None:
    whole, row = both(*REVIEWED[0])
    sleeper = victims.reviewer(row, 20, "unwritten", victims.pause_here)
    victims.wait_until_paused(sleeper)
    assert victims.next_worker(REVIEWS) == victims.GAVE_UP, "the lease is still good"
    victims.expire(row)
    assert victims.next_worker(REVIEWS) == victims.SPARED
    victims.wake(sleeper)
    assert sleeper.exitcode == victims.GAVE_UP
    assert victims.pages(row) == victims.pages(whole)


@pytest.mark.slow
def test_a_review_of_which_too_many_workers_died_is_given_up_and_says_so(settings: Any) -> None:
    _, row = both(*REVIEWED[0])
    settings.ATTEMPTS = 2
    for _ in range(2):
        victims.kill_reviewing(row, 3, "unwritten")
    assert victims.next_worker(REVIEWS) == victims.SPARED
    row.refresh_from_db()
    assert (row.status, row.reason) == (
        Review.Status.GIVEN_UP,
        "it did not come to an end in 2 attempts; in the last one the worker died",
    )
