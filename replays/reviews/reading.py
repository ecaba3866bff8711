"""What is told of a review: how far it is, and once it is done the document."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import msgspec

from ftk_core.log import lines_of
from ftk_core.review import ReviewFact
from ftk_core.reviewed import Reviewed, reviewed
from replays.access import admitted
from replays.review_models import Review
from replays.reviews.asking import check_named
from replays.store import StreamLog

_DECODER = msgspec.json.Decoder(ReviewFact)
NOT_ASKED = "not asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewState:
    """How far a review is."""

    match: str
    eyes: str
    status: str
    """`not asked`, `waiting`, `running`, `done` or `given up`."""
    done: int = 0
    total: int = 0
    """Steps; 0 until it has begun."""
    reason: str = ""
    """Why it was given up."""
    review: Reviewed | None = None
    """Once it is done."""


def read_fact(line: bytes) -> ReviewFact:
    """Return the fact in a line of a review; raises msgspec.ValidationError or DecodeError."""
    fact: ReviewFact = _DECODER.decode(line)
    return fact


def read_review(match_id: str, eyes: str, user_id: int | None) -> ReviewState:
    """Return what somebody is told of the review of a match; raises Match.DoesNotExist, UnknownEyes or EyesClosed."""
    check_named(eyes)
    match, _ = admitted(match_id, eyes, user_id)
    row = Review.objects.filter(match=match, eyes=eyes).first()
    return state_of(row) if row else ReviewState(match=match_id, eyes=eyes, status=NOT_ASKED)


def best_review(match_id: str) -> Reviewed | None:
    """Return the review of a match for everybody, rather that of the public eyes; None where none is done."""
    done = Review.objects.filter(match=match_id, status=Review.Status.DONE).values_list("eyes", flat=True)
    eyes = max(done, default=None)  # public is behind all
    return read_review(match_id, eyes, None).review if eyes else None


def state_of(row: Review) -> ReviewState:
    """Return how far a review is, with its document once it is done."""
    return ReviewState(
        match=row.match_id,
        eyes=row.eyes,
        status=row.status,
        done=row.done,
        total=row.total,
        reason=row.reason,
        review=_read_whole(row.stream_id) if row.status == Review.Status.DONE else None,
    )


def _read_whole(stream_id: str) -> Reviewed:
    return _document(stream_id, StreamLog(stream_id).head)


@lru_cache(maxsize=64)
def _document(stream_id: str, _head: bytes) -> Reviewed:
    """Return the document of a review that is done: what has that head."""
    return reviewed(read_fact(line) for line in lines_of(StreamLog(stream_id)))
