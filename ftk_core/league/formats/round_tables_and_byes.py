"""Helpers of the league formats to build a round's tables and byes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ftk_core.league.event_fields import EntrantBye, TableSeating, Why
from ftk_core.league.scoring.entrant_stage_totals import REST_POINTS
from ftk_core.league.stage_progress import StageProgress


def make_rests(
    progress: StageProgress, entries: Iterable[int], reason: Why = "odd", *, absent: bool = True, tables: int = 1
) -> tuple[EntrantBye, ...]:
    """Return the byes of a round: one for each bot in `entries`, then one for each excused bot.

    The bye of a bot in `entries` is worth as much as the byes of `tables` rounds; that of an excused bot as one. If
    `absent` is False, the excused bots are left out.
    """
    terms = progress.terms
    points = str(REST_POINTS[terms.rest] * terms.games * tables)
    absence = str(REST_POINTS[terms.absence] * terms.games)
    away = (EntrantBye(entry, absence, "absent") for entry in sorted(progress.excused) if absent)
    return (*(EntrantBye(entry, points, reason) for entry in entries), *away)


def forbidden_pair_among(progress: StageProgress, seatings: Iterable[Sequence[int]]) -> frozenset[int] | None:
    """Return two bots that sit at the same table but must not meet, or None."""
    return next((pair for seating in seatings for pair in progress.forbidden if pair <= set(seating)), None)


def number_tables(seatings: Iterable[Sequence[int]]) -> tuple[TableSeating, ...]:
    """Build the tables of a round, numbered from 1, from lists of bots by seat."""
    return tuple(TableSeating(number, tuple(seating)) for number, seating in enumerate(seatings, 1))
