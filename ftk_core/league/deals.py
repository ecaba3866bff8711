"""Seating and deal of each match of a table."""

from __future__ import annotations

from typing import TypedDict

from ftk_core.league.plans import Stage, TablePlan
from ftk_core.league.state import LeagueState
from ftk_core.rng import Label, seed_of


class Dealt(TypedDict):
    """Number of the deal that a match of a table is played on."""

    stage: Stage
    game: int
    deal: int


def turned(table: TablePlan, game: int) -> tuple[int, ...]:
    """Return the seating of match number `game` of a table: each further match rotates the seats by one."""
    shift = game % len(table.seating)
    return table.seating[shift:] + table.seating[:shift]


def table_seed(secret: bytes, round_: int, table: TablePlan, stage: Stage, *, game: int = 0, deal: int = 0) -> bytes:
    """Return the seed of a table's match, derived from the league's secret and the seated entries.

    The matches of a table share the seed, unless the stage deals afresh. A `deal` above 0 replaces one on which no
    match was completed.
    """
    parts: list[Label] = ["table", secret.hex(), round_, table.number, *table.seating]
    if stage.deals == "fresh":
        parts += ["game", game]
    if deal:
        parts += ["deal", deal]
    return seed_of(*parts)


def is_shared(stage: Stage) -> bool:
    """Return whether several matches of one table are played on the same deal."""
    return stage.deals == "same" and stage.games > 1


def is_public(league: LeagueState, round_: int) -> bool:
    """Return whether everybody may watch the matches of a round while they are played.

    A match that shares its deal is hidden until the last match of its table has ended: a spectator of one match would
    know the cards of the next.
    """
    return league.is_released(round_) and not is_shared(league.terms_of(round_))
