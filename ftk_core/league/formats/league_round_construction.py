"""Functions by which formats build the tables and rests of a round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ftk_core.league.event_fields import EntrantBye, TableSeating, Why
from ftk_core.league.scoring.entrant_stage_totals import REST_POINTS
from ftk_core.league.stage_progress import StageProgress


def make_rests(
    progress: StageProgress, entries: Iterable[int], reason: Why = "odd", *, absent: bool = True
) -> tuple[EntrantBye, ...]:
    """Return a record of each bot that rests in a round: the bot, its points for the rest, and why it rests.

    The bots in `entries` rest for `reason`. If `absent` is True, the bots that are excused from this round follow them.
    """
    points, absence = (
        str(REST_POINTS[worth] * progress.terms.games) for worth in (progress.terms.rest, progress.terms.absence)
    )
    away = (EntrantBye(entry, absence, "absent") for entry in sorted(progress.excused) if absent)
    return (*(EntrantBye(entry, points, reason) for entry in entries), *away)


def forbidden_pair_among(progress: StageProgress, seatings: Iterable[Sequence[int]]) -> frozenset[int] | None:
    """Return a set of two bots that sit at the same table although they must not meet, or None."""
    return next((pair for seating in seatings for pair in progress.forbidden if pair <= set(seating)), None)


def number_tables(seatings: Iterable[Sequence[int]], group: int = 0) -> tuple[TableSeating, ...]:
    """Build the tables of a round, numbered from 1, from lists of bots by seat."""
    return tuple(TableSeating(number, tuple(seating), group) for number, seating in enumerate(seatings, 1))
