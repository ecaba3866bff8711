"""Whose turn it is: which kind of thing a worker does next, and of which author. The broker only says "look".

Each kind has a queue of its own and a weight (`WEIGHTS` in the settings). A worker that serves several kinds does them
in proportion: what is done costs its kind 1/weight, and the kind that has spent least is next (stride scheduling). Of
one kind the author is next who has waited longest: since the oldest of theirs was sent, or since one of theirs began.
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
"""The variable in which a worker's processes find the kinds that it serves."""


IDLE_SECONDS = 0.5
"""How long a kind of which nothing waited is taken for idle by who goes on with another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of thing that workers do."""

    name: str
    """Also its queue's."""
    waiting: Callable[[], int]
    """Says how many of it nobody holds."""
    take: Callable[[], bool]
    """Does the next one; False where there was none that may be done now."""
    on_request: bool = False
    """It is done only by who was rung for it."""
    some: Callable[[], bool] | None = None
    """Says whether any of it waits, where that is known sooner than how many."""

    def is_waiting(self) -> bool:
        """Tell whether any of it waits."""
        return self.some() if self.some else self.waiting() > 0


KINDS: dict[str, Kind] = {}
"""Every kind by its name; each app adds its own when it is ready."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing that waits."""

    id: int | str
    author: int | None
    """None is nobody, who is as fair as anybody and has no limit."""
    since: datetime


def in_order(
    waiting: Iterable[Waiting], running: Mapping[int | None, int], began: Mapping[int | None, datetime]
) -> list[Waiting]:
    """Return the first thing of each author that may be done now, in the order in which they are to be.

    `running` says how many of an author's are being done, `began` when the last of them began.
    """
    first: dict[int | None, Waiting] = {}
    for thing in sorted(waiting, key=lambda thing: thing.since):
        if thing.author is None or running.get(thing.author, 0) < settings.RUNNING_EACH:
            first.setdefault(thing.author, thing)
    return sorted(first.values(), key=lambda thing: max(thing.since, began.get(thing.author, thing.since)))


def served(rung: str) -> Sequence[str]:
    """Return the kinds that this process serves; one that was told nothing serves what it is rung for."""
    return os.environ.get(SERVED, "").split() or (rung,)


def do_next(rung: str, idle: dict[str, float] | None = None) -> str:
    """Do one thing of the kind whose turn it is; return its name, or nothing where there was none to do.

    A worker that is to leave does nothing. Who does one thing after the other hands on what was `idle`, and until when
    it is taken for that: a kind of which nothing waited is not asked again before every short match.
    """
    if not may_begin():
        return ""
    now, idle = time.monotonic(), {} if idle is None else idle
    eligible = [KINDS[name] for name in served(rung) if name == rung or not KINDS[name].on_request]
    asked = [kind for kind in eligible if idle.get(kind.name, now) <= now]
    # to look for the next one of a kind says as well whether there is any
    at_once = len(asked) == 1 and not asked[0].on_request
    waiting = asked if at_once else [kind for kind in asked if kind.is_waiting()]
    idle.update({kind.name: now + IDLE_SECONDS for kind in asked if kind not in waiting})
    for kind in _by_share(waiting):
        if kind.take():
            return kind.name
    return ""


def _by_share(kinds: Sequence[Kind]) -> list[Kind]:
    """Return the kinds in the order of what they have spent, and charge the first one for its turn."""
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
        )  # who had nothing to do saves nothing up
        row = rows[ordered[0].name]
        row.spent += 1 / settings.WEIGHTS[row.kind]
        row.save(update_fields=("spent",))
    return ordered
