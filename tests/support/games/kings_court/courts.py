"""Courts for the start of a test, and steps through them."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.facts import Action, Fact
from ftk_core.games.kings_court.facts import (
    AccuseAction,
    AllowAccusationAction,
    DismissAction,
    HideAction,
    SilenceAction,
    TakeAction,
)
from ftk_core.games.kings_court.rules import apply, decide, legal
from ftk_core.games.kings_court.table_state import TableState, new_court, step, to_act
from ftk_core.random_streams import MatchRandomness, seed_of

CHANCE = MatchRandomness(seed_of("kings court"))
P, U, A, G, Q = "peasant", "usurper", "apprentice", "guard", "princess"


def play(table: TableState, *actions: Action) -> TableState:
    """Let the lowest seat to act choose the actions one by one; return the table."""
    for action in actions:
        table = apply_choice(table, to_act(table)[0], action)
    return table


def apply_choice(table: TableState, seat: int, action: Action) -> TableState:
    """Return the table after a seat has chosen."""
    for fact in list_choice_facts(table, seat, action):
        table = apply(table, fact)
    return table


def list_choice_facts(table: TableState, seat: int, action: Action) -> Sequence[Fact]:
    """Return the facts that a choice causes."""
    return decide(table, seat, action, CHANCE)


def build_share(taken: int | str | tuple[int, str]) -> TakeAction:
    """Build a share from its short form: a number of diamonds, a card, or (diamonds, "fake")."""
    if isinstance(taken, tuple):
        return TakeAction(taken[0], None, fake=True)
    return TakeAction(0, taken) if isinstance(taken, str) else TakeAction(taken)


def build_court(
    shares: Sequence[int | str | tuple[int, str]],
    *,
    hidden: int = 0,
    dismissed: str | None = None,
    cards: tuple[str, ...] | None = None,
    fake: bool = False,
    gifts: int | None = None,
) -> TableState:
    """Return the court after the theft; `shares` are those of the seats that are asked, from seat 1 on."""
    table = play(
        new_court(len(shares) + 1, cards, fake=fake, gifts=gifts), HideAction(hidden), DismissAction(dismissed)
    )
    for seat, taken in enumerate(shares, 1):
        if table.at == seat and step(table) == "help":
            table = play(table, build_share(taken))
    return table


def pass_until_king_acts(table: TableState) -> TableState:
    """Let everybody pass until the King acts; return the table."""
    while step(table) in ("floor", "halt"):
        table = play(table, AllowAccusationAction() if step(table) == "halt" else SilenceAction())
    return table


def accuse_seats(table: TableState, *seats: int) -> TableState:
    """Let the King accuse the seats in turn while nobody speaks; return the table."""
    for seat in seats:
        table = pass_until_king_acts(play(pass_until_king_acts(table), AccuseAction(seat)))
    return table


def list_menu(table: TableState, seat: int | None = None) -> tuple[Action, ...]:
    """Return the menu of a seat, by default of the lowest to act."""
    return legal(table, to_act(table)[0] if seat is None else seat)


def accuse_to_the_end(table: TableState, *seats: int) -> tuple[str, tuple[int, ...]]:
    """Return the end of a court in which the King accuses these seats, and the winners."""
    end = accuse_seats(table, *seats)
    return end.ending, end.winners
