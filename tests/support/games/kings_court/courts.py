"""Courts to begin a test from, and steps through them."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.facts import Action, Fact
from ftk_core.games.kings_court.facts import Accuse, Dismiss, Help, Hide, Silence, Stay
from ftk_core.games.kings_court.rules import apply, decide, legal
from ftk_core.games.kings_court.state import Table, bare, step, to_act
from ftk_core.rng import Chance, seed_of

CHANCE = Chance(seed_of("kings court"))
P, U, A, G, Q = "peasant", "usurper", "apprentice", "guard", "princess"


def play(table: Table, *actions: Action) -> Table:
    """Return the table after the lowest seat to act has chosen the actions one by one."""
    for action in actions:
        table = decided(table, to_act(table)[0], action)
    return table


def decided(table: Table, seat: int, action: Action) -> Table:
    """Return the table after a seat has chosen."""
    for fact in facts_of(table, seat, action):
        table = apply(table, fact)
    return table


def facts_of(table: Table, seat: int, action: Action) -> Sequence[Fact]:
    """Return what follows from a choice."""
    return decide(table, seat, action, CHANCE)


def share(taken: int | str | tuple[int, str]) -> Help:
    """Return a share in short: a number of diamonds, a card, or (diamonds, "fake")."""
    if isinstance(taken, tuple):
        return Help(taken[0], None, fake=True)
    return Help(0, taken) if isinstance(taken, str) else Help(taken)


def court(
    shares: Sequence[int | str | tuple[int, str]],
    *,
    hidden: int = 0,
    dismissed: str | None = None,
    cards: tuple[str, ...] | None = None,
    fake: bool = False,
    gifts: int | None = None,
) -> Table:
    """Return the court after the theft; `shares` are those of the seats that are asked, from seat 1 on."""
    table = play(bare(len(shares) + 1, cards, fake=fake, gifts=gifts), Hide(hidden), Dismiss(dismissed))
    for seat, taken in enumerate(shares, 1):
        if table.at == seat and step(table) == "help":
            table = play(table, share(taken))
    return table


def quiet(table: Table) -> Table:
    """Return the court after everybody has let the floor and the window pass."""
    while step(table) in ("floor", "halt"):
        table = play(table, Stay() if step(table) == "halt" else Silence())
    return table


def accuse(table: Table, *seats: int) -> Table:
    """Return the court after the King has accused the seats one after the other, and nobody has said a word."""
    for seat in seats:
        table = quiet(play(quiet(table), Accuse(seat)))
    return table


def menu(table: Table, seat: int | None = None) -> tuple[Action, ...]:
    """Return the menu of a seat, by default of the lowest to act."""
    return legal(table, to_act(table)[0] if seat is None else seat)


def ending(table: Table, *seats: int) -> tuple[str, tuple[int, ...]]:
    """Return how a court ends when the King accuses these seats, and who wins."""
    end = accuse(table, *seats)
    return end.ending, end.winners
