"""Finished matches in the database, for reviews."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from replays.event_stream_storage import EventAppender
from replays.models import Match
from replays.models.reviews import MatchReview
from replays.reviews.review_computation import compute_review
from replays.reviews.review_requests import request_from_shell
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.live import play_log_lines


def create_closed_match(name: str = "pig", seats: int = 2, lines: Sequence[bytes] = ()) -> Match:
    """Return a finished match with this log, or one of random players."""
    match = create_waiting_match([create_active_version(game=name) for _ in range(seats)])
    EventAppender(match.stream_id).append(
        [line.rstrip(b"\n") + b"\n" for line in lines or play_log_lines(name, seats)], 0
    )
    Match.objects.filter(pk=match.pk).update(status=Match.Status.CLOSED, closed_at=timezone.now())
    match.refresh_from_db()
    return match


def create_reviewed_match(match: Match, eyes: str = "all") -> MatchReview:
    """Return the review of a match as a worker computed it."""
    row = request_from_shell(match.pk, eyes)
    assert compute_review(row.pk)
    row.refresh_from_db()
    assert row.status == MatchReview.Status.DONE, row.reason
    return row
