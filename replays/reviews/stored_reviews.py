"""Reading of reviews: their progress, and the result document of finished reviews."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import msgspec

from ftk_core.analysis.match_review_document import MatchReviewDocument, build_review_document
from ftk_core.analysis.match_review_facts import ReviewFact
from ftk_core.hash_chained_log import lines_of
from replays.event_stream_storage import EventAppender
from replays.match_access import admitted_viewer
from replays.models.reviews import MatchReview
from replays.reviews.review_requests import required_viewer

_DECODER = msgspec.json.Decoder(ReviewFact)
NOT_REQUESTED_MESSAGE = "not asked"
PREFERRED_EYES = ("own", "all", "public")
"""Kinds of reviews, the most useful first. The values of a public review of hidden cards are not calibrated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchReviewStatus:
    """Progress of a review, and its result once it is finished."""

    match: str
    eyes: str
    status: str
    """One of `not asked`, `waiting`, `running`, `done` and `given up`."""
    done: int = 0
    """Number of finished steps."""
    total: int = 0
    """Total number of steps of the review; 0 until it has begun."""
    reason: str = ""
    """Reason why the review was given up; empty otherwise."""
    review: MatchReviewDocument | None = None
    """Result document; None until the review is finished."""


def read_fact(line: bytes) -> ReviewFact:
    """Decode a line of a review's log. Raises msgspec.ValidationError or msgspec.DecodeError."""
    fact: ReviewFact = _DECODER.decode(line)
    return fact


def read_review(match_id: str, eyes: str, user_id: int | None) -> MatchReviewStatus:
    """Return the progress of a review of a match, and its result if finished.

    Raises Match.DoesNotExist, InvalidViewpointError, or MatchViewForbiddenError if the user may not see the review.
    """
    match, _ = admitted_viewer(match_id, required_viewer(eyes), user_id)
    row = MatchReview.objects.filter(match=match, eyes=eyes).first()
    return state_of(row) if row else MatchReviewStatus(match=match_id, eyes=eyes, status=NOT_REQUESTED_MESSAGE)


def best_review(match_id: str) -> MatchReviewDocument | None:
    """Return the result of a finished review of a match that has ended, or None.

    The first of `PREFERRED_EYES` is returned. Raises MatchViewForbiddenError if the public may not see the review.
    """
    finished = MatchReview.objects.filter(match=match_id, status=MatchReview.Status.DONE)
    done = set(finished.values_list("eyes", flat=True))
    eyes = next((one for one in PREFERRED_EYES if one in done), None)
    return read_review(match_id, eyes, None).review if eyes else None


def state_of(row: MatchReview) -> MatchReviewStatus:
    """Return the progress of a review, with its result document if it is finished."""
    return MatchReviewStatus(
        match=row.match_id,
        eyes=row.eyes,
        status=row.status,
        done=row.done,
        total=row.total,
        reason=row.reason,
        review=_read_whole(row.stream_id) if row.status == MatchReview.Status.DONE else None,
    )


def _read_whole(stream_id: str) -> MatchReviewDocument:
    return _document(stream_id, EventAppender(stream_id).head)


@lru_cache(maxsize=64)
def _document(stream_id: str, _head: bytes) -> MatchReviewDocument:
    """Return the result document of a finished review."""
    # `_head`, the hash of the log, is part of the cache key: a changed log is read again.
    return build_review_document(read_fact(line) for line in lines_of(EventAppender(stream_id)))
