"""Match play by the rules alone, without log, referee or clock.

Use it to play very many matches, for learning or for search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from ftk_core.facts import Action
from ftk_core.fold import AnyGame, check_options
from ftk_core.game import Seat
from ftk_core.rng import Chance

Choose = Callable[[Any, Seat, Sequence[Action]], int]
"""(state, seat, menu of at least two items) -> index into the menu."""
Follow = Callable[[Any, Seat, Any, Chance], tuple[Sequence[Any], Any]]


def follow_of(game: AnyGame) -> Follow:
    """Return `Game.follow`, or a replacement built from `decide` and `apply` if the game has none."""

    def follow(state: Any, seat: Seat, action: Any, chance: Chance) -> tuple[Sequence[Any], Any]:
        facts = game.decide(state, seat, action, chance)
        for fact in facts:
            state = game.apply(state, fact)
        return facts, state

    return game.follow or follow


def dealt(game: AnyGame, seats: int, chance: Chance, options: msgspec.Struct | None = None) -> tuple[list[Any], Any]:
    """Return the facts of the opening deal and the state after it; raise ValueError for an impossible table."""
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
    """Play a match; return the final state and the number of choices.

    With a `Chance` of the same seed and with the same choices, this is the match that `ftk_core.referee.play` plays:
    seats that choose simultaneously all choose in the same state, and nobody is asked about a menu of one item.
    `FreeChance` is faster.
    """
    return play_on(game, dealt(game, seats, chance, options)[1], chance, choose)


def play_on(
    game: AnyGame, state: Any, chance: Chance, choose: Choose, given: Mapping[Seat, Action] | None = None
) -> tuple[Any, int]:
    """Play on from a state in which choices are due; return the final state and the number of choices.

    `given` holds the choices already made by some of the seats that are due. These seats are not asked.
    """
    turn, legal, follow, asked = game.turn, game.legal, follow_of(game), 0
    given = given or {}
    while due := turn(state):
        choices = []
        for seat in due:
            if seat in given:
                choices.append((seat, given[seat]))
                continue
            menu = legal(state, seat)
            if len(menu) == 1:
                choices.append((seat, menu[0]))
            else:
                asked += 1
                choices.append((seat, menu[choose(state, seat, menu)]))
        given = {}
        for seat, action in choices:
            state = follow(state, seat, action, chance)[1]
    return state, asked
