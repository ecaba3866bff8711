"""Who sits where in each match of a table, and which deal they meet."""

from __future__ import annotations

from typing import TypedDict

from ftk_core.league.acts import MatchReplaced
from ftk_core.league.plans import Stage, TablePlan
from ftk_core.league.state import Key, LeagueState
from ftk_core.rng import Label, seed_of


class Dealt(TypedDict):
    """Which deal a match of a table is played on."""

    stage: Stage
    game: int
    deal: int


def turned(table: TablePlan, game: int) -> tuple[int, ...]:
    """Return the seating of a table's match of that number: each one turns the seats by one."""
    shift = game % len(table.seating)
    return table.seating[shift:] + table.seating[:shift]


def table_seed(secret: bytes, round_: int, table: TablePlan, stage: Stage, *, game: int = 0, deal: int = 0) -> bytes:
    """Return the seed of a table's match: it follows from the league's secret and who sits there.

    The matches of a table share it, unless the stage deals afresh; a `deal` above 0 takes the place of one on which
    no match came to its end.
    """
    parts: list[Label] = ["table", secret.hex(), round_, table.number, *table.seating]
    if stage.deals == "fresh":
        parts += ["game", game]
    if deal:
        parts += ["deal", deal]
    return seed_of(*parts)


def is_shared(stage: Stage) -> bool:
    """Tell whether several matches of one table are played on the same deal."""
    return stage.deals == "same" and stage.games > 1


def is_public(league: LeagueState, round_: int) -> bool:
    """Tell whether everybody may watch the matches of a round while they are played.

    A match that shares its deal is hidden until the last match of its table has ended: whoever watches one match of
    the table would know the cards of the next.
    """
    return league.is_released(round_) and not is_shared(league.terms_of(round_))


def replay_deal(league: LeagueState, key: Key, *, given_up: bool) -> int:
    """Return the number of the deal on which a match is played again.

    A match that was given up while nobody could watch it is played on the same deal, so that nobody gains by giving up
    a bad deal, and on a fresh one once the same deal failed as often as the terms of the league allow. A match that was
    public, or that an organiser has played again, always takes a fresh deal: one that no match of the table had.
    """
    replays = [fact for fact in league.noted if isinstance(fact, MatchReplaced) and _table_of(fact) == key[:2]]
    deals = [fact.deal for fact in replays if fact.game == key[2]]
    current, head = deals[-1] if deals else 0, league.header
    used_up = head.ruling == "replay" and 0 < head.tries <= deals.count(current)
    if given_up and not used_up and not is_public(league, key[0]):
        return current
    return 1 + max((fact.deal for fact in replays), default=0)


def _table_of(fact: MatchReplaced) -> tuple[int, int]:
    return fact.round, fact.table
