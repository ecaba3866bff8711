"""Celery tasks of the bots app."""

from __future__ import annotations

import time

from celery import shared_task

from bots.api import idempotency
from bots.jobs import fair_job_scheduling as job_scheduling, trial_match_queue
from bots.metrics import count_fault
from bots.sandbox.language_runtimes import SandboxUnavailable
from foundation.celery_task_messages import enqueue_missing
from foundation.ratelimits import limits as rate_limits
from ftk_core.players import HostOverloadError

SHIFT_SECONDS = 10.0
"""Seconds after which a running task starts no further job, so that the broker can schedule other tasks."""


def _work_on(kind: str) -> str:
    """Do waiting jobs in fair order until none is left or `SHIFT_SECONDS` are over.

    Return the kind of the last job, or an empty string if no job was done.
    """
    # Each job of a kind with `JobKind.on_request` needs a task message of its own, so the loop stops after such a job.
    until, done, idle = time.monotonic() + SHIFT_SECONDS, "", dict[str, float]()
    while last := job_scheduling.do_next_job(kind, idle):
        done = last
        if job_scheduling.KINDS[last].on_request or time.monotonic() > until:
            break
    return done


@shared_task(name="bots.work")
def work(kind: str) -> str:
    """Do waiting jobs for about `SHIFT_SECONDS`, then enqueue the missing tasks of the job kind `kind`.

    Return the kind of the last job, or an empty string if no job was done.
    """
    # Duplicate or late messages are harmless. One message leads to several jobs, because a new message through the
    # broker takes longer than a short match. Missing messages are sent at the end: the message of a job may have been
    # used for a job of another kind, or may have come while the job's author had the maximum number of running jobs.
    try:
        done = _work_on(kind)
    except (SandboxUnavailable, HostOverloadError) as error:
        count_fault(error)
        raise
    if done:  # else the waiting jobs need another worker, or the end of another job, which sends their messages
        enqueue_missing("bots.work", kind, job_scheduling.KINDS[kind].count_here())
    return done


@shared_task(name="bots.sweep")
def sweep() -> int:
    """Enqueue missing tasks, refuse trials that no worker can run, delete expired data. Return the number of tasks."""
    trial_match_queue.refuse_unsupported_versions()
    rate_limits.delete_full_allowances()
    idempotency.delete_expired_responses()
    return sum(
        enqueue_missing("bots.work", kind.name, kind.count_waiting())
        for kind in job_scheduling.KINDS.values()
        if not kind.on_request
    )
