"""Fair scheduling of jobs on workers: it decides the kind of the next job and its author.

A task message only wakes a worker. Each kind of job has its own Celery queue and a weight (`WEIGHTS` in the
settings). A worker that serves several kinds divides its time in proportion to the weights: a job costs its kind
1/weight, and the kind that has spent least is next (stride scheduling). Within a kind, the author who has waited
longest goes first: since their oldest job was sent, or since their last job began.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import transaction

from bots.models import Share
from foundation.draining import may_begin

SERVED: Final = "FTK_SERVES"
"""Environment variable with the kinds that a worker process serves."""


IDLE_SECONDS = 0.5
"""Seconds for which a worker does not look again at a kind without waiting jobs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of job."""

    name: str
    """Also the name of its queue."""
    waiting: Callable[[], int]
    """Returns the number of jobs without a lease."""
    take: Callable[[], bool]
    """Does the next job; False if there was none that can be done now."""
    on_request: bool = False
    """True if a job is done only by a worker with a task message of this kind."""
    some: Callable[[], bool] | None = None
    """Returns True if jobs wait, for kinds where that is faster than counting them."""

    def is_waiting(self) -> bool:
        """Return True if jobs of this kind wait."""
        return self.some() if self.some else self.waiting() > 0


KINDS: dict[str, Kind] = {}
"""All kinds by name; each app registers its own at start."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """One waiting job."""

    id: int | str
    author: int | None
    """None for a job without an author, to which no limit applies."""
    since: datetime


def in_order(
    waiting: Iterable[Waiting], running: Mapping[int | None, int], began: Mapping[int | None, datetime]
) -> list[Waiting]:
    """Return the first job of each author that can be done now, in fair order.

    `running` is the number of an author's running jobs, `began` the start of their latest one.
    """
    first: dict[int | None, Waiting] = {}
    for thing in sorted(waiting, key=lambda thing: thing.since):
        if thing.author is None or running.get(thing.author, 0) < settings.RUNNING_EACH:
            first.setdefault(thing.author, thing)
    return sorted(first.values(), key=lambda thing: max(thing.since, began.get(thing.author, thing.since)))


def served(rung: str) -> Sequence[str]:
    """Return the kinds that this process serves; by default the kind of its task message."""
    return os.environ.get(SERVED, "").split() or (rung,)


def do_next(rung: str, idle: dict[str, float] | None = None) -> str:
    """Do one job of the kind that is next; return the kind, or an empty string if there was none.

    A worker that is shutting down does nothing. A caller that does several jobs passes the same `idle` dict: kinds
    without waiting jobs, each with the time until which it is not asked again.
    """
    if not may_begin():
        return ""
    now, idle = time.monotonic(), {} if idle is None else idle
    eligible = [KINDS[name] for name in served(rung) if name == rung or not KINDS[name].on_request]
    asked = [kind for kind in eligible if idle.get(kind.name, now) <= now]
    # If only one kind is left, looking for its next job also shows if there is any.
    at_once = len(asked) == 1 and not asked[0].on_request
    waiting = asked if at_once else [kind for kind in asked if kind.is_waiting()]
    idle.update({kind.name: now + IDLE_SECONDS for kind in asked if kind not in waiting})
    for kind in _by_share(waiting):
        if kind.take():
            return kind.name
    return ""


def _by_share(kinds: Sequence[Kind]) -> list[Kind]:
    """Return the kinds ordered by the work they have had, and charge the first one for its next job."""
    if len(kinds) < 2:
        return list(kinds)
    with transaction.atomic():
        Share.objects.bulk_create([Share(kind=name) for name in KINDS], ignore_conflicts=True)
        rows = {row.kind: row for row in Share.objects.select_for_update().order_by("kind")}
        ordered = sorted(kinds, key=lambda kind: rows[kind.name].spent)
        least = rows[ordered[0].name].spent
        idle = set(rows) - {kind.name for kind in kinds}
        Share.objects.filter(kind__in=idle, spent__lt=least).update(
            spent=least
        )  # an idle kind does not accumulate credit
        row = rows[ordered[0].name]
        row.spent += 1 / settings.WEIGHTS[row.kind]
        row.save(update_fields=("spent",))
    return ordered
