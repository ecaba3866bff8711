"""Seating, random seed and id of each match at a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from ftk_core.league.event_fields import StageSettings, TableSeating
from ftk_core.league.league_state import LeagueState, MatchKey
from ftk_core.random_streams import Label, seed_of


class RandomSeedArguments(TypedDict):
    """Keyword arguments of `table_seed`."""

    stage: StageSettings
    game: int
    deal: int


def rotate_seating(seating: Sequence[int], by: int) -> tuple[int, ...]:
    """Move each bot of a table `by` seats down, from the first seat to the last, and return the bots by seat.

    For match number n (from 0) of a table, `by` is n.

    >>> rotate_seating((0, 1, 2), 1)
    (1, 2, 0)
    """
    shift = by % len(seating)
    return (*seating[shift:], *seating[:shift])


def table_seed(
    secret: bytes, round_: int, table: TableSeating, stage: StageSettings, *, game: int = 0, deal: int = 0
) -> bytes:
    """Derive the random seed of a match from the league's secret and the seated bots.

    `deal` is 0, or a new number if a match is played again with another seed.
    """
    # The matches of a table have the same seed, unless the stage's settings give each match a fresh one.
    parts: list[Label] = ["table", secret.hex(), round_, table.number, *table.seating]
    if stage.deals == "fresh":
        parts += ["game", game]
    if deal:
        parts += ["deal", deal]
    return seed_of(*parts)


def derive_match_id(league: LeagueState, key: MatchKey, replays: int) -> str:
    """Derive the id of a match, 12 hexadecimal digits, from public facts of its league and round.

    `key` is its round, table and game; `replays` is the number of earlier matches that it replaces.
    """
    # Bots derive their random numbers from the id. An operator who could choose it could play a match under many ids,
    # and keep the result that pleases.
    slug, paired = league.header.slug, league.rounds[key[0] - 1]
    return seed_of("match", slug, paired.link, *key, replays).hex()[:12]


def is_deal_shared(stage: StageSettings) -> bool:
    """Return True if a table plays several matches with the same random seed."""
    return stage.deals == "same" and stage.games > 1


def is_public(league: LeagueState, round_: int) -> bool:
    """Return True if everybody may watch the matches of a round live."""
    # Not if the matches of a table share their deal: a spectator of one match would know the cards of the next.
    return league.is_released(round_) and not is_deal_shared(league.terms_of(round_))
