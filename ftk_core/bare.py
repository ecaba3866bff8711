"""Play by the rules alone: no log, no referee, no clock; for who plays very many matches, to learn or to look ahead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ftk_core.facts import Action
from ftk_core.fold import AnyGame, check_options
from ftk_core.game import Seat
from ftk_core.rng import Chance

Choose = Callable[[Any, Seat, Sequence[Action]], int]
"""(state, seat, menu of two items or more) -> index into the menu."""
Follow = Callable[[Any, Seat, Any, Chance], tuple[Sequence[Any], Any]]


def follow_of(game: AnyGame) -> Follow:
    """Return `Game.follow`, made of `decide` and `apply` where a game has none."""

    def follow(state: Any, seat: Seat, action: Any, chance: Chance) -> tuple[Sequence[Any], Any]:
        facts = game.decide(state, seat, action, chance)
        for fact in facts:
            state = game.apply(state, fact)
        return facts, state

    return game.follow or follow


def dealt(game: AnyGame, seats: int, chance: Chance, options: msgspec.Struct | None = None) -> tuple[list[Any], Any]:
    """Return the facts of the opening shuffle and the state behind them; raises ValueError for an impossible table."""
    options = options or game.options()
    check_options(game, seats, options)
    state = game.setup(seats, options)
    facts = list(game.deal(state, chance))
    for fact in facts:
        state = game.apply(state, fact)
    return facts, state


def play_bare(
    game: AnyGame, seats: int, chance: Chance, choose: Choose, options: msgspec.Struct | None = None
) -> tuple[Any, int]:
    """Play a match; return the state at its end, and how many choices there were.

    With `Chance` of the same seed, and the same choices, it is the match that `ftk_core.referee.play` plays: who owes a
    choice at the same time as others chooses in the same state as they, and a menu of one item asks nobody. With
    `FreeChance` it is quicker.
    """
    _, state = dealt(game, seats, chance, options)
    turn, legal, follow, asked = game.turn, game.legal, follow_of(game), 0
    while due := turn(state):
        choices = []
        for seat in due:
            menu = legal(state, seat)
            if len(menu) == 1:
                choices.append((seat, menu[0]))
            else:
                asked += 1
                choices.append((seat, menu[choose(state, seat, menu)]))
        for seat, action in choices:
            state = follow(state, seat, action, chance)[1]
    return state, asked
