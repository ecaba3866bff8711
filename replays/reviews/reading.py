"""Reading of reviews: the progress, and the document of a finished one."""

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
    """Progress of a review."""

    match: str
    eyes: str
    status: str
    """`not asked`, `waiting`, `running`, `done` or `given up`."""
    done: int = 0
    total: int = 0
    """Steps; 0 until it has begun."""
    reason: str = ""
    """Reason why it was given up."""
    review: Reviewed | None = None
    """Document of a finished review."""


def read_fact(line: bytes) -> ReviewFact:
    """Decode the fact in a line of a review; raises msgspec.ValidationError or DecodeError."""
    fact: ReviewFact = _DECODER.decode(line)
    return fact


def read_review(match_id: str, eyes: str, user_id: int | None) -> ReviewState:
    """Return the review of a match for a user; raises Match.DoesNotExist, UnknownEyes or EyesClosed."""
    check_named(eyes)
    match, _ = admitted(match_id, eyes, user_id)
    row = Review.objects.filter(match=match, eyes=eyes).first()
    return state_of(row) if row else ReviewState(match=match_id, eyes=eyes, status=NOT_ASKED)


def best_review(match_id: str) -> Reviewed | None:
    """Return a finished public review, preferably that of the public viewer; None without one."""
    done = Review.objects.filter(match=match_id, status=Review.Status.DONE).values_list("eyes", flat=True)
    eyes = max(done, default=None)  # "public" sorts after "all"
    return read_review(match_id, eyes, None).review if eyes else None


def state_of(row: Review) -> ReviewState:
    """Return the progress of a review, with its document if it is finished."""
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
    """Return the document of a finished review; the head is the cache key."""
    return reviewed(read_fact(line) for line in lines_of(StreamLog(stream_id)))
