"""Bounded retries of background work: a pause after each failure, and a verdict after the last one.

An unreachable database does not count as an attempt: the failure cannot be stored, and the error goes on to the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import structlog
from django.db import connection
from django.utils import timezone

from bots.faults import blame
from foundation.attempts import is_last, pause_after
from replays.failed_work_models import FailedWork

log = structlog.get_logger(__name__)
Result = TypeVar("Result")
Default = TypeVar("Default")


def run_bounded(
    kind: str,
    subject: str,
    work: Callable[[], Result],
    otherwise: Default,
    *,
    passing: tuple[type[Exception], ...] = (),
) -> Result | Default:
    """Run a piece of work unless it pauses or was given up; return its result, or `otherwise` without one.

    Errors of the kinds in `passing` do not count as attempts; they are raised.
    """
    row = FailedWork.objects.filter(kind=kind, subject=subject).first()
    if row and not row.is_due(timezone.now()):
        return otherwise
    try:
        result = work()
    except passing:
        raise
    except Exception as error:  # noqa: BLE001 - any error is a failed attempt, and it is logged there
        note_failure(kind, subject, error)
        return otherwise
    if row:
        row.delete()
    return result


def note_failure(kind: str, subject: str, error: Exception) -> None:
    """Count a failed attempt, and give the work up after the last one; raises OperationalError without a database."""
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()
    row, _ = FailedWork.objects.get_or_create(kind=kind, subject=subject)
    row.attempts += 1
    now = timezone.now()
    row.rests_until = now + pause_after(row.attempts)
    if is_last(row.attempts):
        row.left_at = now
    row.reason = f"it failed {row.attempts} times; the last time {blame(error)}"
    row.save()
    tell = log.error if row.left_at else log.warning
    tell("work_failed", kind=kind, subject=subject, attempt=row.attempts, left=bool(row.left_at), exc_info=error)


def list_failed(kind: str) -> list[str]:
    """Return the subjects of a kind whose last attempt failed, whether they pause or were given up."""
    return list(FailedWork.objects.filter(kind=kind).order_by("pk").values_list("subject", flat=True))


def list_left(kind: str) -> list[str]:
    """Return the subjects of a kind that were given up."""
    return list(FailedWork.objects.filter(kind=kind, left_at__isnull=False).values_list("subject", flat=True))


def count_left() -> dict[str, int]:
    """Return the number of pieces of work that are no longer retried, by kind of work."""
    counts: dict[str, int] = {}
    for kind in FailedWork.objects.filter(left_at__isnull=False).values_list("kind", flat=True):
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def find_left(kinds: Iterable[str], subjects: Iterable[str], beginning: str = "/") -> list[FailedWork]:
    """Return work of some kinds that is no longer retried: about these subjects, or about those that begin so."""
    rows = FailedWork.objects.filter(kind__in=kinds, left_at__isnull=False).order_by("pk")
    known = set(subjects)
    return [row for row in rows if row.subject in known or row.subject.startswith(beginning)]


def list_all_left() -> list[str]:
    """Return descriptions of all given-up work, oldest first, each with the party at fault."""
    return [str(row) for row in FailedWork.objects.filter(left_at__isnull=False).order_by("left_at", "pk")]


def forget(kind: str, subjects: Iterable[str]) -> None:
    """Delete failures of work that is done or no longer exists."""
    if known := list(subjects):
        FailedWork.objects.filter(kind=kind, subject__in=known).delete()


def try_again() -> int:
    """Reset all failed work to its first attempt; return its amount."""
    return FailedWork.objects.update(attempts=0, left_at=None, rests_until=None)
