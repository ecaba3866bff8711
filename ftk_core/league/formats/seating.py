"""Constructors for the tables and rests in facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ftk_core.league.plans import Rest, TablePlan, Why
from ftk_core.league.progress import Progress
from ftk_core.league.tallies import RESTS


def rest(progress: Progress, entries: Iterable[int], why: Why = "odd", *, absent: bool = True) -> tuple[Rest, ...]:
    """Return the rests of these entries for a reason, and, unless `absent` is False, of excused entries."""
    points, absence = (
        str(RESTS[worth] * progress.terms.games) for worth in (progress.terms.rest, progress.terms.absence)
    )
    away = (Rest(entry, absence, "absent") for entry in sorted(progress.excused) if absent)
    return (*(Rest(entry, points, why) for entry in entries), *away)


def barred_among(progress: Progress, seatings: Iterable[Sequence[int]]) -> frozenset[int] | None:
    """Return a forbidden pair that shares a table, if there is one."""
    return next((pair for seating in seatings for pair in progress.forbidden if pair <= set(seating)), None)


def numbered(seatings: Iterable[Sequence[int]], group: int = 0) -> tuple[TablePlan, ...]:
    """Return tables, numbered from 1."""
    return tuple(TablePlan(number, tuple(seating), group) for number, seating in enumerate(seatings, 1))
