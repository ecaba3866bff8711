"""Background work: the doorbell of everything that bots are started for."""

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
"""Whoever was rung for begins nothing more after so long: the broker says again who is to work."""


def _work_on(kind: str) -> str:
    """Do one thing after the other for a while; return the kind of the last one, nothing where there was none."""
    until, done, idle = time.monotonic() + SHIFT_SECONDS, "", dict[str, float]()
    while last := turns.do_next(kind, idle):
        done = last
        if turns.KINDS[last].on_request or time.monotonic() > until:
            break
    return done


@shared_task(name="bots.work")
def work(kind: str) -> str:
    """Do the next things, most likely of the kind that was rung for; delivered twice or late it does no harm.

    Returns the kind of the last that was done. Whoever is here goes on for a while with whatever is next, as one who is
    sent away comes back by way of the broker, which takes longer than a short match. A bell of another kind, and one
    that came when its author had enough running, are made up for: as many bells wait as things do.
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
    """Ring for what nobody holds and nobody was rung for; returns how many. Forgets the allowances that are whole."""
    throttles.forget_full()
    idempotency.forget()
    return sum(top_up("bots.work", kind.name, kind.waiting()) for kind in turns.KINDS.values() if not kind.on_request)
