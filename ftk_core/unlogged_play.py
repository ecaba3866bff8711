"""Fast play of matches with only the rules, without log, referee or clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from ftk_core.facts import Action
from ftk_core.game import Seat
from ftk_core.match_state_from_log import AnyGame, check_options
from ftk_core.random_streams import MatchRandomness

Choose = Callable[[Any, Seat, Sequence[Action]], int]
"""Function that chooses for a seat: (state, seat, menu of at least two items) -> index into the menu."""
Follow = Callable[[Any, Seat, Any, MatchRandomness], tuple[Sequence[Any], Any]]
"""(state, seat, action, chance) -> (facts that the action causes, next state), as in `Game.follow`."""


def follow_of(game: AnyGame) -> Follow:
    """Return the function that applies an action to a state of the game."""

    def follow(state: Any, seat: Seat, action: Any, chance: MatchRandomness) -> tuple[Sequence[Any], Any]:
        facts = game.decide(state, seat, action, chance)
        for fact in facts:
            state = game.apply(state, fact)
        return facts, state

    return game.follow or follow


def deal_table(
    game: AnyGame, seats: int, chance: MatchRandomness, options: msgspec.Struct | None = None
) -> tuple[list[Any], Any]:
    """Start a match; return its first events and the state after them.

    Raises ValueError for an impossible number of players or options.
    """
    options = options or game.options()
    check_options(game, seats, options)
    state = game.setup(seats, options)
    facts = list(game.deal(state, chance))
    for fact in facts:
        state = game.apply(state, fact)
    return facts, state


def play_without_log(
    game: AnyGame, seats: int, chance: MatchRandomness, choose: Choose, options: msgspec.Struct | None = None
) -> tuple[Any, int]:
    """Play a match to its end without a log. Return the final state, and how often `choose` was called.

    With `MatchRandomness`, the same seed and choices give the same match as with a log. `UnseededRandomness` is faster.
    """
    return play_from_state(game, deal_table(game, seats, chance, options)[1], chance, choose)


def play_from_state(
    game: AnyGame,
    state: Any,
    chance: MatchRandomness,
    choose: Choose,
    early_choices: Mapping[Seat, Action] | None = None,
) -> tuple[Any, int]:
    """Play on from a state to the end; return the final state and the number of calls of `choose`.

    `early_choices` maps seats to their actions in the first turn. In this turn, `choose` is not called for these seats.
    """
    turn, legal, follow, choice_count = game.turn, game.legal, follow_of(game), 0
    early_choices = early_choices or {}
    while due := turn(state):
        choices = []
        for seat in due:
            if seat in early_choices:
                choices.append((seat, early_choices[seat]))
                continue
            menu = legal(state, seat)
            if len(menu) == 1:
                choices.append((seat, menu[0]))
            else:
                choice_count += 1
                choices.append((seat, menu[choose(state, seat, menu)]))
        early_choices = {}
        for seat, action in choices:
            state = follow(state, seat, action, chance)[1]
    return state, choice_count
