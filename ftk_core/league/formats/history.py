"""Past meetings and seats of a stage's entries, for pairing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from ftk_core.league.deals import turned
from ftk_core.league.plans import TablePlan
from ftk_core.league.progress import Progress
from ftk_core.league.tallies import resting


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Counts over the rounds paired so far."""

    meetings: Counter[frozenset[int]]
    """Number of tables that two entries shared."""
    byes: Counter[int]
    short: Counter[int]
    """Number of times an entry sat at a table that was not full."""
    seats: Counter[tuple[int, int]]
    """Number of times an entry sat in a seat."""
    left: Counter[tuple[int, int]]
    """Number of times the first entry had the second to its left, in the next seat."""

    def met(self, one: int, other: int) -> int:
        """Return how many tables two entries shared."""
        return self.meetings[frozenset((one, other))]


def history_of(progress: Progress) -> History:
    """Count the past of a stage."""
    history = History(meetings=Counter(), byes=Counter(), short=Counter(), seats=Counter(), left=Counter())
    for paired in progress.drawn:
        history.byes.update(resting(paired))
        for table in paired.tables:
            _add(history, table, progress.terms.seats, range(progress.terms.games))
    return history


def _add(history: History, table: TablePlan, full: int, games: Iterable[int]) -> None:
    history.meetings.update(frozenset(pair) for pair in combinations(table.seating, 2))
    if len(table.seating) < full:
        history.short.update(table.seating)
    following = (*table.seating[1:], table.seating[0])
    for game in games:
        history.left.update(zip(table.seating, following, strict=True))
        history.seats.update((entry, seat) for seat, entry in enumerate(turned(table, game)))
