"""Seating of each match at a table, and the random seed of its deal (its cards or dice)."""

from __future__ import annotations

from typing import TypedDict

from ftk_core.league.event_fields import StageSettings, TableSeating
from ftk_core.league.league_state import LeagueState
from ftk_core.random_streams import Label, seed_of


class RandomSeedArguments(TypedDict):
    """Keyword arguments of `table_seed`: settings of the stage, number of the match at its table, number of the deal.

    A deal is the cards or dice of a match, which the random seed decides.
    """

    stage: StageSettings
    game: int
    deal: int


def rotate_seating(table: TableSeating, game: int) -> tuple[int, ...]:
    """Return the bots by seat in match number `game` (from 0) of a table.

    From one match to the next, each bot moves down by one seat, and the bot in the first seat moves to the last.
    """
    shift = game % len(table.seating)
    return table.seating[shift:] + table.seating[:shift]


def table_seed(
    secret: bytes, round_: int, table: TableSeating, stage: StageSettings, *, game: int = 0, deal: int = 0
) -> bytes:
    """Return the random seed of a match at a table, derived from the league's secret and the seated bots.

    The matches of a table have the same seed, unless the settings of the stage give each match a fresh one. `deal` is
    usually 0. If a void match (one without a result) is played again with another seed, `deal` is a greater number,
    which the table has not used before.
    """
    parts: list[Label] = ["table", secret.hex(), round_, table.number, *table.seating]
    if stage.deals == "fresh":
        parts += ["game", game]
    if deal:
        parts += ["deal", deal]
    return seed_of(*parts)


def is_deal_shared(stage: StageSettings) -> bool:
    """Return whether each table of a stage plays several matches with the same cards or dice (the same random seed)."""
    return stage.deals == "same" and stage.games > 1


def is_public(league: LeagueState, round_: int) -> bool:
    """Return whether everybody may watch the matches of a round while they are played.

    The replays of the round must be public. Also, the matches of a table must not share their deal (cards or dice):
    otherwise a spectator of one match would know the cards of the next.
    """
    return league.is_released(round_) and not is_deal_shared(league.terms_of(round_))
