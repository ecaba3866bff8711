"""Reviews of archived matches while the archive cannot be reached: they wait, and are computed once it is back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from replays import match_archiving
from replays.models.reviews import MatchReview
from replays.reviews import review_computation
from replays.reviews.review_requests import request_from_shell, request_review
from replays.reviews.review_scheduling import list_in_fair_order
from tests.support.archived_matches import create_played_match
from tests.support.factories import AuthorFactory

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def review(settings: Any, tmp_path: Path) -> MatchReview:
    """A waiting review of a match in an archive that is moved away."""
    settings.ARCHIVE_URL = str(tmp_path / "archive")
    settings.REVIEWS = {**settings.REVIEWS, "playouts": 2}
    match = create_played_match()
    match_archiving.archive_match(match)
    (tmp_path / "archive").rename(tmp_path / "away")
    return request_from_shell(match.pk, "all")


def compute(review: MatchReview) -> MatchReview:
    """Let a worker try the review, as if its pause were over, and return the stored review."""
    MatchReview.objects.filter(pk=review.pk).exclude(lease_until=None).update(
        lease_until=timezone.now() - timedelta(seconds=1)
    )
    review_computation.compute_review(review.pk)
    return MatchReview.objects.get(pk=review.pk)


def test_a_review_waits_for_an_unreachable_archive_and_is_computed_once_it_is_back(
    review: MatchReview, settings: Any, tmp_path: Path
) -> None:
    MatchReview.objects.filter(pk=review.pk).update(asked_at=timezone.now() - timedelta(days=6, hours=23))
    for _ in range(settings.ATTEMPTS + 2):
        waiting = compute(review)
        assert (waiting.status, waiting.attempts) == (MatchReview.Status.RUNNING, 0)
        assert waiting.lease_until > timezone.now() + timedelta(minutes=4), "it is not tried again at once"
    (tmp_path / "away").rename(tmp_path / "archive")
    assert compute(review).status == MatchReview.Status.DONE


def test_a_review_is_given_up_if_the_archive_is_unreachable_for_more_than_a_week(
    review: MatchReview, settings: Any
) -> None:
    MatchReview.objects.filter(pk=review.pk).update(asked_at=timezone.now() - timedelta(days=8))
    for _ in range(settings.ATTEMPTS):
        tried = compute(review)
    assert tried.status == MatchReview.Status.GIVEN_UP
    assert f"it did not come to an end in {settings.ATTEMPTS} attempts" in tried.reason


def test_a_review_that_waits_for_the_archive_does_not_delay_other_reviews_of_the_same_person(
    review: MatchReview,
) -> None:
    person = AuthorFactory.create()
    MatchReview.objects.filter(pk=review.pk).update(asked_by=person)
    other = request_review(create_played_match(name="two").pk, "all", person)
    compute(review)
    assert list_in_fair_order() == [other.pk]
