"""Groups of bots (tables) that meet in a round and whose winner can be predicted now."""
# Winners can be predicted until a match of the round has begun. A round that begins without an organiser can even be
# predicted before it is paired: the prediction counts for the table at which the chosen entry will play.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ftk_core.league.event_fields import TableSeating
from ftk_core.league.league_state import LeagueState
from tournaments.models import League


@dataclass(frozen=True, slots=True)
class PredictableTable:
    """A table (group of bots that meet in a round) whose winner can be predicted now."""

    round: int
    number: int
    """Number of the table; 0 stands for a round that is not paired yet: the choice is among all entries."""
    entries: tuple[int, ...]

    @property
    def seating(self) -> list[int]:
        """Sorted entry numbers of the table, the value of `Prediction.seating`; empty before the round is paired."""
        return sorted(self.entries) if self.number else []


def list_open_tables(league: League, state: LeagueState) -> list[PredictableTable]:
    """Return the tables of a league whose winner can be predicted now, by round and table."""
    # All entries of a round that is not paired yet form one table with the number 0.
    if not league.predictions or state.ended or state.closed:
        return []
    begun = _list_begun_rounds(league, state)
    following = len(state.rounds) + 1
    tables = list[PredictableTable]()
    for paired in state.rounds[state.closed_rounds :]:
        if paired.round not in begun:
            tables += _list_tables(paired.round, paired.tables)
    if state.draft:
        tables += _list_tables(following, state.draft.tables)
    elif not state.header.held and following <= league.rounds:
        tables += _list_unpaired(state, following)
    return tables


def _list_tables(round_: int, tables: Sequence[TableSeating]) -> Iterator[PredictableTable]:
    return (PredictableTable(round_, table.number, table.seating) for table in tables)


def _list_unpaired(state: LeagueState, round_: int) -> list[PredictableTable]:
    present = tuple(e.entry for e in state.entrants if not e.withdrawn and round_ not in e.excused)
    return [PredictableTable(round_, 0, present)] if present else []


def _list_begun_rounds(league: League, state: LeagueState) -> set[int]:
    """Return the numbers of the open rounds in which any match has begun."""
    # Matches that were replaced count too.
    opened = league.tables.filter(round__gt=state.closed_rounds, match__opened_at__isnull=False)
    return {*opened.values_list("round", flat=True)} | {key[0] for key in (*state.recorded, *state.voids)}
