"""Past meetings and seats of the bots in a stage of a league."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from ftk_core.league.event_fields import TableSeating
from ftk_core.league.match_seating_and_random_seeds import rotate_seating
from ftk_core.league.scoring.entrant_stage_totals import resting_entries
from ftk_core.league.stage_progress import StageProgress


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingHistory:
    """Counts of meetings, seats and byes in the paired rounds of a stage."""

    meetings: Counter[frozenset[int]]
    """Pair of bots -> number of tables that they shared."""
    byes: Counter[int]
    """Bot -> number of rounds in which it had a bye."""
    short: Counter[int]
    """Bot -> number of rounds in which it sat at a table that was not full."""
    seats: Counter[tuple[int, int]]
    """(bot, seat) -> number of matches in which the bot sat there."""
    left: Counter[tuple[int, int]]
    """(bot, other) -> number of matches in which the other sat to the left of the bot, in the next seat."""

    def met(self, one: int, other: int) -> int:
        """Return at how many tables two bots have met."""
        return self.meetings[frozenset((one, other))]


def history_of(progress: StageProgress) -> PairingHistory:
    """Count the meetings, seats and byes in the paired rounds of a stage."""
    history = PairingHistory(meetings=Counter(), byes=Counter(), short=Counter(), seats=Counter(), left=Counter())
    for paired in progress.drawn:
        history.byes.update(resting_entries(paired))
        for table in paired.tables:
            _add(history, table, progress.terms.seats, range(progress.terms.games))
    return history


def _add(history: PairingHistory, table: TableSeating, full: int, games: Iterable[int]) -> None:
    history.meetings.update(frozenset(pair) for pair in combinations(table.seating, 2))
    if len(table.seating) < full:
        history.short.update(table.seating)
    following = (*table.seating[1:], table.seating[0])
    for game in games:
        history.left.update(zip(table.seating, following, strict=True))
        history.seats.update((entry, seat) for seat, entry in enumerate(rotate_seating(table.seating, game)))
