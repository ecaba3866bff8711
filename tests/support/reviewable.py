"""Matches in the database that have ended, to be reviewed."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from replays.models import Match
from replays.review_models import Review
from replays.reviews.asking import ask_at_the_shell
from replays.reviews.working import reckon
from replays.store import StreamLog
from tests.support.factories import active_version, waiting_match
from tests.support.live import lines_played


def closed_match(name: str = "pig", seats: int = 2, lines: Sequence[bytes] = ()) -> Match:
    """Return a match that was played to its end, with this log or one of random players."""
    match = waiting_match([active_version(game=name) for _ in range(seats)])
    StreamLog(match.stream_id).append([line.rstrip(b"\n") + b"\n" for line in lines or lines_played(name, seats)], 0)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.CLOSED, closed_at=timezone.now())
    match.refresh_from_db()
    return match


def reviewed_match(match: Match, eyes: str = "all") -> Review:
    """Return the review of a match, as a worker has reckoned it."""
    row = ask_at_the_shell(match.pk, eyes)
    assert reckon(row.pk)
    row.refresh_from_db()
    assert row.status == Review.Status.DONE, row.reason
    return row
