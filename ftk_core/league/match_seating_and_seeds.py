"""Seating of each match at a table, and its deal: the random seed of its cards or dice."""

from __future__ import annotations

from typing import TypedDict

from ftk_core.league.event_fields import StageTerms, TableSeating
from ftk_core.league.league_state import LeagueState
from ftk_core.random_streams import Label, seed_of


class TableSeedArguments(TypedDict):
    """Keyword arguments of `table_seed` that identify a match at its table and its deal (random seed)."""

    stage: StageTerms
    game: int
    deal: int


def rotate_seating(table: TableSeating, game: int) -> tuple[int, ...]:
    """Return the entries by seat in match number `game` (from 0) of a table. Each match rotates the seats by one."""
    shift = game % len(table.seating)
    return table.seating[shift:] + table.seating[:shift]


def table_seed(
    secret: bytes, round_: int, table: TableSeating, stage: StageTerms, *, game: int = 0, deal: int = 0
) -> bytes:
    """Return the seed of a table's match, derived from the league's secret and the seated entries.

    All matches of a table have the same seed, unless the terms of the stage give each match a fresh one. `deal` is 0 at
    first. If a void match is played again with a fresh seed, `deal` is greater than for all earlier seeds.
    """
    parts: list[Label] = ["table", secret.hex(), round_, table.number, *table.seating]
    if stage.deals == "fresh":
        parts += ["game", game]
    if deal:
        parts += ["deal", deal]
    return seed_of(*parts)


def is_deal_shared(stage: StageTerms) -> bool:
    """Return whether several matches at one table of a stage are played on the same deal (random seed)."""
    return stage.deals == "same" and stage.games > 1


def is_public(league: LeagueState, round_: int) -> bool:
    """Return whether everybody may watch the matches of a round while they are played.

    A match that shares its deal is hidden until the last match of its table has ended: a spectator of one match would
    know the cards of the next.
    """
    return league.is_released(round_) and not is_deal_shared(league.terms_of(round_))
