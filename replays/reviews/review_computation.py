"""Computation of a review (analysis of a match) by a worker."""
# Each result is a line of the review's log, so that an interrupted review continues where it stopped. The worker holds
# no database connection while it computes.

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from bots.public_job_failure_messages import describe_fault
from foundation import stuck_process_watchdog
from foundation.celery_worker_draining import WorkerDrainingError, is_handover_requested
from foundation.retry_policy import is_last, retry_pause
from ftk_core.analysis.analysis_build_ids import analysis_build_of
from ftk_core.analysis.match_review import review
from ftk_core.analysis.match_review_document import build_review_document
from ftk_core.analysis.match_review_facts import ReviewFact, ReviewOpened
from ftk_core.facts import encode
from ftk_core.games import UnknownGameError
from ftk_core.hash_chained_log import LogWriteConflictError, lines_of
from ftk_core.kit.match_series.playout_policies import load_policy
from ftk_core.match_fork import MatchForkError
from ftk_core.match_moves import MoveHistory, moves_of
from replays.archive.archive_errors import ArchiveStoreRefusedError, ArchiveStoreUnavailable
from replays.event_stream_storage import EventAppender, raise_fence
from replays.models.reviews import MatchReview, ReviewedSeatSummary
from replays.playing.match_runner import holder_name
from replays.reviews.bot_play_summaries import SUMMARIZED_EYES, summarize_seats
from replays.reviews.review_scheduling import LEASE_DURATION, Status, claim_review, list_in_fair_order
from replays.reviews.stored_reviews import read_fact

MAX_ATTEMPTS = 8
"""Number of reviews that a worker tries to claim before it stops looking."""
PAGE_SECONDS = 2.0
"""Seconds between storing results and renewing the lease; if a worker dies, about this much work is lost."""
ARCHIVE_PAUSE = timedelta(minutes=5)
"""Pause before a review is tried again whose match cannot be read because the archive is unreachable."""
MAX_ARCHIVE_WAIT = timedelta(days=7)
"""Time since the request of a review for which attempts without a reachable archive do not count."""
log = structlog.get_logger(__name__)


class ReviewAbandonedError(Exception):
    """Raised if a review cannot be finished; the message gives the reason."""


def review_next() -> bool:
    """Compute waiting reviews in fair order until one ends. Return True if one has ended."""
    return any(compute_review(review_id) for review_id in list_in_fair_order()[:MAX_ATTEMPTS])


def compute_review(review_id: int) -> bool:
    """Compute a review if no other worker holds it. Return True if it is finished or given up."""
    holder = holder_name()
    fence = claim_review(review_id, holder)
    if fence is None:
        return False
    row = MatchReview.objects.select_related("match").get(pk=review_id)
    try:
        _ReviewComputation(row, fence).run()
    except LogWriteConflictError as error:
        log.warning("review_lost", review=str(row), reason=str(error))
        return False
    except WorkerDrainingError:
        _release(row)
        return False
    except (ArchiveStoreRefusedError, ArchiveStoreUnavailable) as error:
        return _handle_unreachable_archive(row, error)
    except (ReviewAbandonedError, MatchForkError, UnknownGameError) as error:
        _end(row, Status.GIVEN_UP, str(error))
    except Exception as error:  # any error is a failed attempt, and attempts are bounded
        log.warning("review_failed", review=str(row), attempt=row.attempts, reason=str(error), exc_info=error)
        return _handle_failure(row, error)
    finally:
        stuck_process_watchdog.remove_deadline(stuck_process_watchdog.REVIEW_DUTY)
    return True


def _handle_failure(row: MatchReview, error: Exception) -> bool:
    """Release a failed review for a later attempt, or give it up. Return True if it was given up."""
    connection.close_if_unusable_or_obsolete()
    if is_last(row.attempts):
        why = f"it did not come to an end in {row.attempts} attempts; in the last one {describe_fault(error)}"
        _end(row, Status.GIVEN_UP, why)
        return True
    held = MatchReview.objects.filter(pk=row.pk, holder=row.holder, status=Status.RUNNING)
    held.update(lease_until=timezone.now() + retry_pause(row.attempts))
    return False


def _handle_unreachable_archive(row: MatchReview, error: Exception) -> bool:
    """Release a review whose match cannot be read now. Return True if it was given up."""
    # An unreachable archive counts as a failed attempt only if the review was requested longer ago than
    # MAX_ARCHIVE_WAIT.
    log.warning("review_waits_for_archive", review=str(row), reason=str(error))
    if timezone.now() - row.asked_at > MAX_ARCHIVE_WAIT:
        return _handle_failure(row, error)
    _release(row, ARCHIVE_PAUSE)
    return False


def _end(row: MatchReview, status: str, reason: str = "") -> None:
    held = MatchReview.objects.filter(pk=row.pk, holder=row.holder, status=Status.RUNNING)
    held.update(status=status, reason=reason, ended_at=timezone.now(), lease_until=None)


def _release(row: MatchReview, pause: timedelta = timedelta(0)) -> None:
    """Release a review to other workers after a pause, without counting an attempt; nobody holds it meanwhile."""
    held = MatchReview.objects.filter(pk=row.pk, holder=row.holder, status=Status.RUNNING)
    held.update(lease_until=timezone.now() + pause, attempts=F("attempts") - 1, holder="")


class _ReviewComputation:
    def __init__(self, row: MatchReview, fence: int) -> None:
        self._row = row
        self._stream = EventAppender(row.stream_id, fence)
        stuck_process_watchdog.extend_deadline(stuck_process_watchdog.REVIEW_DUTY)
        self._counted = time.process_time()
        self._stored = time.monotonic()
        self._spent = row.cpu_ms / 1000

    def run(self) -> None:
        """Compute and store the missing results of the review.

        Raises ReviewAbandonedError, MatchForkError, UnknownGameError, LogWriteConflictError or WorkerDrainingError.
        """
        if self._row.attempts > settings.ATTEMPTS:
            tried = self._row.attempts - 1
            raise ReviewAbandonedError(
                f"it did not come to an end in {tried} attempts; in the last one the worker died"
            )
        moves = moves_of([line.rstrip(b"\n") for line in lines_of(EventAppender(self._row.match.stream_id))])
        facts = self._missing(moves)
        _close_connections()
        lines: list[bytes] = []
        for fact in facts:
            lines.append(encode(fact) + b"\n")
            over = self._spent + time.process_time() - self._counted > settings.REVIEWS["match_seconds"]
            if over or is_handover_requested() or time.monotonic() - self._stored > PAGE_SECONDS:
                self._store(lines)
                lines = []
            if is_handover_requested():
                raise WorkerDrainingError(f"{self._row} is left to others: this worker was asked to leave")
            if over and self._stream.length < self._row.total:
                most = settings.REVIEWS["match_seconds"]
                raise ReviewAbandonedError(
                    f"it took more than the {most} seconds of processor time that one review may take"
                )
        self._store(lines)
        self._finish()

    def _missing(self, moves: MoveHistory) -> Iterator[ReviewFact]:
        row, build = self._row, analysis_build_of(moves.opened.game)
        policy = load_policy(moves.game, "", len(moves.opened.players))
        if self._stream.length and not self._is_own(build, policy.name):
            row.edition, row.cpu_ms, self._spent = row.edition + 1, 0, 0.0
            self._stream = EventAppender(row.stream_id, raise_fence(row.stream_id))
        row.policy, row.total = policy.name, 2 * len(moves.moves) + 4
        row.save(update_fields=("edition", "policy", "total", "cpu_ms"))
        return review(moves, policy, row.playouts, row.eyes, build, begin=self._stream.length)

    def _is_own(self, build: str, policy: str) -> bool:
        """Return True if the stored results come from the same code, simulated player and number of simulations."""
        # Otherwise this worker cannot continue them.
        opened = read_fact(next(iter(lines_of(self._stream))))
        assert isinstance(opened, ReviewOpened)
        return (opened.build, opened.policy, opened.playouts) == (build, policy, self._row.playouts)

    def _store(self, lines: list[bytes]) -> None:
        """Append lines to the review's stream, store the progress and renew the lease; raises LogWriteConflictError."""
        with transaction.atomic():
            if lines:
                self._stream.append(lines, self._stream.length)
            self._update(lease_until=timezone.now() + LEASE_DURATION)
        stuck_process_watchdog.extend_deadline(stuck_process_watchdog.REVIEW_DUTY)
        _close_connections()

    def _finish(self) -> None:
        """Store the summaries of the seats, and mark the review as done; raises LogWriteConflictError."""
        summaries = []
        if self._row.eyes == SUMMARIZED_EYES:
            document = build_review_document(read_fact(line) for line in lines_of(self._stream))
            summaries = summarize_seats(self._row, document)
        with transaction.atomic():
            self._update(status=Status.DONE, ended_at=timezone.now(), lease_until=None)
            ReviewedSeatSummary.objects.bulk_create(summaries)
        _close_connections()

    def _update(self, **changes: object) -> None:
        """Change fields of the stored review, and add the processor time used since the previous update.

        Raises LogWriteConflictError if this worker no longer holds the review.
        """
        used = time.process_time()
        held = MatchReview.objects.filter(pk=self._row.pk, holder=self._row.holder, status=Status.RUNNING)
        cpu_ms = F("cpu_ms") + round((used - self._counted) * 1000)
        if not held.update(**changes, cpu_ms=cpu_ms, done=self._stream.length):
            raise LogWriteConflictError(f"{self._row} is another worker's")
        self._spent += used - self._counted
        self._counted, self._stored = used, time.monotonic()


def _close_connections() -> None:
    """Close the database connection, so that it is free for others during the computation."""
    if not connection.in_atomic_block:
        connection.close()
