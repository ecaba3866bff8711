"""Celery tasks of the bots app."""

from __future__ import annotations

import time

from celery import shared_task

from bots import idempotency, turns
from bots.cage.runtime import CageUnavailable
from bots.meters import count_fault
from foundation import throttles
from foundation.doorbell import top_up
from ftk_core.players import HostFault

SHIFT_SECONDS = 10.0
"""Seconds after which a task takes no more work, so that the broker can schedule others."""


def _work_on(kind: str) -> str:
    """Do one job after the other for a while; return the kind of the last one, or an empty string."""
    until, done, idle = time.monotonic() + SHIFT_SECONDS, "", dict[str, float]()
    while last := turns.do_next(kind, idle):
        done = last
        if turns.KINDS[last].on_request or time.monotonic() > until:
            break
    return done


@shared_task(name="bots.work")
def work(kind: str) -> str:
    """Do the next jobs, preferably of the given kind; duplicate or late deliveries are harmless.

    Returns the kind of the last job. The task continues for a while with the next jobs, because a new message through
    the broker takes longer than a short match. At the end it enqueues task messages until there are as many as
    waiting jobs: some may have been used for another kind, or have come when their author had enough jobs running.
    """
    try:
        done = _work_on(kind)
    except (CageUnavailable, HostFault) as error:
        count_fault(error)
        raise
    top_up("bots.work", kind, turns.KINDS[kind].waiting() if done or not turns.KINDS[kind].on_request else 0)
    return done


@shared_task(name="bots.sweep")
def sweep() -> int:
    """Enqueue tasks for jobs without a lease or a task message; returns their number.

    Also deletes expired rate limit states and idempotency keys.
    """
    throttles.forget_full()
    idempotency.forget()
    return sum(top_up("bots.work", kind.name, kind.waiting()) for kind in turns.KINDS.values() if not kind.on_request)
