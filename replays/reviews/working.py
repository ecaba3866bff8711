"""Computation of one review, from the state of its stream; it holds no database connection meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterator

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from bots.faults import blame
from foundation import watchdog
from foundation.attempts import is_last, pause_after
from foundation.draining import Draining, is_asked_to_leave
from ftk_core.facts import encode
from ftk_core.fork import NoFork
from ftk_core.games import UnknownGame, build_of
from ftk_core.kit.policies import policy_of
from ftk_core.log import Conflict, lines_of
from ftk_core.moves import Moves, moves_of
from ftk_core.review import ReviewFact, ReviewOpened, review
from replays.playing.runner import holder_name
from replays.review_models import Review
from replays.reviews.reading import read_fact
from replays.reviews.turns import LEASE, Status, claim, in_turn
from replays.store import StreamLog, raise_fence

TRIES = 8
"""Number of reviews that may be taken by others before a worker stops looking."""
PAGE_SECONDS = 2.0
"""Interval of storing facts and renewing the lease; a dead worker loses at most this much."""
log = structlog.get_logger(__name__)


class GivenUp(Exception):
    """Raised for a review that cannot be finished; the message gives the reason."""


def review_next() -> bool:
    """Compute the next review; return False if there is none, or others were quicker."""
    return any(reckon(review_id) for review_id in in_turn()[:TRIES])


def reckon(review_id: int) -> bool:
    """Compute a review to its end if it is free; return False if it is another worker's, ended, or lost meanwhile."""
    holder = holder_name()
    fence = claim(review_id, holder)
    if fence is None:
        return False
    row = Review.objects.select_related("match").get(pk=review_id)
    try:
        _Reckoner(row, fence).run()
    except Conflict as error:
        log.warning("review_lost", review=str(row), reason=str(error))
        return False
    except Draining:
        _put_back(row)
        return False
    except (GivenUp, NoFork, UnknownGame) as error:
        _end(row, Status.GIVEN_UP, str(error))
    except Exception as error:  # any error is a failed attempt, and attempts are bounded
        log.warning("review_failed", review=str(row), attempt=row.attempts, reason=str(error), exc_info=error)
        return _failed(row, error)
    finally:
        watchdog.release(watchdog.REVIEW)
    return True


def _failed(row: Review, error: Exception) -> bool:
    """Put back a failed review, or give it up after the last attempt; return True if it has ended."""
    connection.close_if_unusable_or_obsolete()
    if is_last(row.attempts):
        why = f"it did not come to an end in {row.attempts} attempts; in the last one {blame(error)}"
        _end(row, Status.GIVEN_UP, why)
        return True
    held = Review.objects.filter(pk=row.pk, holder=row.holder, status=Status.RUNNING)
    held.update(lease_until=timezone.now() + pause_after(row.attempts))
    return False


def _end(row: Review, status: str, reason: str = "") -> None:
    held = Review.objects.filter(pk=row.pk, holder=row.holder, status=Status.RUNNING)
    held.update(status=status, reason=reason, ended_at=timezone.now(), lease_until=None)


def _put_back(row: Review) -> None:
    """Release a review to the next worker at once; that does not count as an attempt."""
    held = Review.objects.filter(pk=row.pk, holder=row.holder, status=Status.RUNNING)
    held.update(lease_until=timezone.now(), attempts=F("attempts") - 1)


class _Reckoner:
    def __init__(self, row: Review, fence: int) -> None:
        self._row = row
        self._stream = StreamLog(row.stream_id, fence)
        watchdog.touch(watchdog.REVIEW)
        self._counted = time.process_time()
        self._stored = time.monotonic()
        self._spent = row.cpu_ms / 1000

    def run(self) -> None:
        """Store the missing facts, page by page; raises GivenUp, NoFork, UnknownGame, Conflict or Draining."""
        if self._row.attempts > settings.ATTEMPTS:
            tried = self._row.attempts - 1
            raise GivenUp(f"it did not come to an end in {tried} attempts; in the last one the worker died")
        moves = moves_of([line.rstrip(b"\n") for line in lines_of(StreamLog(self._row.match.stream_id))])
        facts = self._missing(moves)
        _let_go()
        lines: list[bytes] = []
        for fact in facts:
            lines.append(encode(fact) + b"\n")
            over = self._spent + time.process_time() - self._counted > settings.REVIEWS["match_seconds"]
            if over or is_asked_to_leave() or time.monotonic() - self._stored > PAGE_SECONDS:
                self._store(lines)
                lines = []
            if is_asked_to_leave():
                raise Draining(f"{self._row} is left to others: this worker was asked to leave")
            if over and self._stream.length < self._row.total:
                most = settings.REVIEWS["match_seconds"]
                raise GivenUp(f"it took more than the {most} seconds of processor time that one review may take")
        self._store(lines, last=True)

    def _missing(self, moves: Moves) -> Iterator[ReviewFact]:
        row, build = self._row, build_of(moves.opened.game)
        policy = policy_of(moves.game, "", len(moves.opened.players))
        if self._stream.length and not self._is_own(build, policy.name):
            row.edition, row.cpu_ms = row.edition + 1, 0
            self._stream = StreamLog(row.stream_id, raise_fence(row.stream_id))
        row.policy, row.total = policy.name, 2 * len(moves.moves) + 4
        row.save(update_fields=("edition", "policy", "total"))
        return review(moves, policy, row.playouts, row.eyes, build, begin=self._stream.length)

    def _is_own(self, build: str, policy: str) -> bool:
        """Return True if the stored stream has our build and parameters; otherwise another stream is begun."""
        opened = read_fact(next(iter(lines_of(self._stream))))
        assert isinstance(opened, ReviewOpened)
        return (opened.build, opened.policy, opened.playouts) == (build, policy, self._row.playouts)

    def _store(self, lines: list[bytes], *, last: bool = False) -> None:
        """Append a page, store the progress and renew the lease, in one transaction; raises Conflict."""
        now, used = timezone.now(), time.process_time()
        changes = {"lease_until": now + LEASE, "cpu_ms": F("cpu_ms") + round((used - self._counted) * 1000)}
        if last:
            changes |= {"status": Status.DONE, "ended_at": now, "lease_until": None}
        with transaction.atomic():
            if lines:
                self._stream.append(lines, self._stream.length)
            held = Review.objects.filter(pk=self._row.pk, holder=self._row.holder, status=Status.RUNNING)
            if not held.update(**changes, done=self._stream.length):
                raise Conflict(f"{self._row} is another worker's")
        self._spent += used - self._counted
        self._counted, self._stored = used, time.monotonic()
        watchdog.touch(watchdog.REVIEW)
        _let_go()


def _let_go() -> None:
    """Release the connection, so that nobody waits for it during the computation."""
    if not connection.in_atomic_block:
        connection.close()
