"""Bounded retries of background work, with a pause after each failed attempt."""
# While the database is unreachable a failure cannot be stored: it is no attempt, and the caller gets the error.

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import structlog
from django.db import connection
from django.utils import timezone

from bots.public_job_failure_messages import describe_fault
from foundation.retry_policy import is_last, retry_pause
from replays.models.failed_background_work import FailedWork

log = structlog.get_logger(__name__)
WorkResult = TypeVar("WorkResult")
Default = TypeVar("Default")


def run_with_retries(
    kind: str,
    subject: str,
    work: Callable[[], WorkResult],
    otherwise: Default,
    *,
    passing: tuple[type[Exception], ...] = (),
) -> WorkResult | Default:
    """Call `work` and return its result. If it fails, store the failure and return `otherwise`.

    Exceptions of the types in `passing` are raised and not stored. If it is too early for the next try, or no try is
    left, return `otherwise` without calling `work`.
    """
    row = FailedWork.objects.filter(kind=kind, subject=subject).first()
    if row and not row.is_due(timezone.now()):
        return otherwise
    try:
        result = work()
    except passing:
        raise
    except Exception as error:  # noqa: BLE001 - any error is a failed attempt, which record_failure logs
        record_failure(kind, subject, error)
        return otherwise
    if row:
        row.delete()
    return result


def record_failure(kind: str, subject: str, error: Exception) -> None:
    """Store a failed attempt. After the last allowed attempt, mark the work as given up.

    Raises OperationalError if the database is unreachable.
    """
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()
    row, _ = FailedWork.objects.get_or_create(kind=kind, subject=subject)
    row.attempts += 1
    now = timezone.now()
    row.rests_until = now + retry_pause(row.attempts)
    if is_last(row.attempts):
        row.left_at = now
    row.reason = f"it failed {row.attempts} times; the last time {describe_fault(error)}"
    row.save()
    tell = log.error if row.left_at else log.warning
    tell("work_failed", kind=kind, subject=subject, attempt=row.attempts, left=bool(row.left_at), exc_info=error)


def list_failed(kind: str) -> list[str]:
    """Return the subjects, such as match ids, of all failed work of a kind."""
    return list(FailedWork.objects.filter(kind=kind).order_by("pk").values_list("subject", flat=True))


def list_given_up(kind: str) -> list[str]:
    """Return the subjects (e.g. match ids) of the work of a kind that was given up."""
    return list(FailedWork.objects.filter(kind=kind, left_at__isnull=False).values_list("subject", flat=True))


def is_given_up(kind: str, subject: str) -> bool:
    """Return True if a piece of work was given up."""
    return FailedWork.objects.filter(kind=kind, subject=subject, left_at__isnull=False).exists()


def count_given_up() -> dict[str, int]:
    """Count the pieces of work that were given up, by kind of work."""
    counts: dict[str, int] = {}
    for kind in FailedWork.objects.filter(left_at__isnull=False).values_list("kind", flat=True):
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def find_given_up(kinds: Iterable[str], subjects: Iterable[str], beginning: str = "/") -> list[FailedWork]:
    """Return the work that was given up, oldest first.

    The kind of the work is in `kinds`. Its subject is in `subjects` or starts with `beginning`.
    """
    # The default adds nothing, because no subject starts with a slash.
    rows = FailedWork.objects.filter(kind__in=kinds, left_at__isnull=False).order_by("pk")
    known = set(subjects)
    return [row for row in rows if row.subject in known or row.subject.startswith(beginning)]


def list_all_given_up() -> list[str]:
    """Return a list of texts ``<kind> <subject>: <reason>``, one per piece of given-up work, the oldest first."""
    return [str(row) for row in FailedWork.objects.filter(left_at__isnull=False).order_by("left_at", "pk")]


def delete_failures(kind: str, subjects: Iterable[str]) -> None:
    """Delete the stored failures of work that is done or no longer exists."""
    if known := list(subjects):
        FailedWork.objects.filter(kind=kind, subject__in=known).delete()


def reset_attempts() -> int:
    """Allow an immediate retry of all failed work. Return the number of failed pieces of work."""
    return FailedWork.objects.update(attempts=0, left_at=None, rests_until=None)
