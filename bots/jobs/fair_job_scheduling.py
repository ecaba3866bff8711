"""Fair scheduling of the workers' jobs between job kinds and between authors.

Between kinds, workers use stride scheduling with the weights in the settings. Within a kind, the author who has waited
longest goes first.
"""
# A task message only wakes a worker; it does not say which job to do. An author's wait begins when their oldest waiting
# job was sent, or when their latest job began, if that was later.

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import transaction

from bots.models.worker_reports_and_usage import WorkerUsageByJobKind
from foundation.celery_worker_draining import is_accepting_work

SERVED_KINDS_VARIABLE: Final = "FTK_SERVES"
"""Environment variable with the kinds that a worker process serves."""


IDLE_SECONDS = 0.5
"""Seconds for which a worker skips a job kind that had no waiting jobs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKind:
    """Kind of job, such as trial matches, with functions that count its waiting jobs and run the next one."""

    name: str
    """Name of the kind and of its Celery queue."""
    count_waiting: Callable[[], int]
    """Function that returns the number of jobs that no worker has leased and some worker can do."""
    run_next: Callable[[], bool]
    """Function that does the next job, and returns False if no job could be done now."""
    on_request: bool = False
    """True if a worker does jobs of this kind only after it has received a task message of this kind."""
    has_waiting: Callable[[], bool] | None = None
    """Function that returns True if jobs wait that this worker can do. Set only if it is faster than a count."""
    count_playable: Callable[[], int] | None = None
    """Function that counts the waiting jobs that this worker can do; None if it can do all."""

    def is_waiting(self) -> bool:
        """Return True if jobs of this kind wait."""
        return self.has_waiting() if self.has_waiting else self.count_here() > 0

    def count_here(self) -> int:
        """Return the number of waiting jobs of this kind that this worker can do."""
        return self.count_playable() if self.count_playable else self.count_waiting()


KINDS: dict[str, JobKind] = {}
"""All job kinds by name; each Django app registers its own at start."""


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """Job that waits for a worker."""

    id: int | str
    author: int | None
    """User id of the author. None for a job without an author, to which the limit on running jobs does not apply."""
    since: datetime


def order_fairly(
    waiting: Iterable[QueuedJob], running: Mapping[int | None, int], began: Mapping[int | None, datetime]
) -> list[QueuedJob]:
    """Return each author's oldest waiting job; the author who has waited longest comes first.

    Skips authors with too many running jobs. `began` maps each author to the time when the author's latest job began.
    """
    next_by_author: dict[int | None, QueuedJob] = {}
    for job in sorted(waiting, key=lambda job: job.since):
        if job.author is None or running.get(job.author, 0) < settings.RUNNING_EACH:
            next_by_author.setdefault(job.author, job)
    return sorted(next_by_author.values(), key=lambda job: max(job.since, began.get(job.author, job.since)))


def list_served_kinds(task_kind: str) -> Sequence[str]:
    """Return the names of the job kinds that this process serves."""
    return os.environ.get(SERVED_KINDS_VARIABLE, "").split() or (task_kind,)


def do_next_job(task_kind: str, idle: dict[str, float] | None = None) -> str:
    """Do one waiting job, chosen fairly. Return the name of its kind, or an empty string if none was done."""
    # `task_kind` is the kind of the task message that woke this worker. `idle` saves queries: it maps a kind without
    # waiting jobs to the time when it is queried again. Pass the same dict to consecutive calls.
    if not is_accepting_work():
        return ""
    now, idle = time.monotonic(), {} if idle is None else idle
    eligible = [KINDS[name] for name in list_served_kinds(task_kind) if name == task_kind or not KINDS[name].on_request]
    polled = [kind for kind in eligible if idle.get(kind.name, now) <= now]
    # With only one kind left, `run_next` itself finds out if a job waits, so that `is_waiting` need not be called.
    single = len(polled) == 1 and not polled[0].on_request
    waiting = polled if single else [kind for kind in polled if kind.is_waiting()]
    idle.update({kind.name: now + IDLE_SECONDS for kind in polled if kind not in waiting})
    for kind in _order_by_share(waiting):
        if kind.run_next():
            return kind.name
    return ""


def _order_by_share(kinds: Sequence[JobKind]) -> list[JobKind]:
    """Return the job kinds, the one with the lowest usage of workers first, and charge one job to that kind."""
    # A job counts 1 / weight of its kind. The first kind is charged because the caller tries it first. A single kind
    # competes with no other, so it is not charged.
    if len(kinds) < 2:
        return list(kinds)
    with transaction.atomic():
        WorkerUsageByJobKind.objects.bulk_create(
            [WorkerUsageByJobKind(kind=name) for name in KINDS], ignore_conflicts=True
        )
        shares = {share.kind: share for share in WorkerUsageByJobKind.objects.select_for_update().order_by("kind")}
        ordered = sorted(kinds, key=lambda kind: shares[kind.name].spent)
        least = shares[ordered[0].name].spent
        idle = set(shares) - {kind.name for kind in kinds}
        WorkerUsageByJobKind.objects.filter(kind__in=idle, spent__lt=least).update(
            spent=least
        )  # an idle kind does not accumulate credit
        share = shares[ordered[0].name]
        share.spent += 1 / settings.WEIGHTS[share.kind]
        share.save(update_fields=("spent",))
    return ordered
