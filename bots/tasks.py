"""Background work: the doorbell of everything that bots are started for."""

from __future__ import annotations

from celery import shared_task

from bots import idempotency, turns
from foundation import throttles
from foundation.doorbell import top_up


@shared_task(name="bots.work")
def work(kind: str) -> str:
    """Do the next thing, most likely of the kind that was rung for; delivered twice or late it does no harm.

    Returns the kind of what was done. A bell of another kind, and one that came when its author had enough running, are
    made up for: as many bells wait as things do.
    """
    done = turns.do_next(kind)
    top_up("bots.work", kind, turns.KINDS[kind].waiting() if done or not turns.KINDS[kind].on_request else 0)
    return done


@shared_task(name="bots.sweep")
def sweep() -> int:
    """Ring for what nobody holds and nobody was rung for; returns how many. Forgets the allowances that are whole."""
    throttles.forget_full()
    idempotency.forget()
    return sum(top_up("bots.work", kind.name, kind.waiting()) for kind in turns.KINDS.values() if not kind.on_request)
