"""Menus of To Court the King for the seat that must choose."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ftk_core.facts import Action
from ftk_core.games.to_court_the_king import facts
from ftk_core.games.to_court_the_king.characters import (
    ADDED_DIE_VALUES,
    CHARACTERS,
    CHARLATAN,
    DICE,
    FOOL,
    QUEEN,
    Faces,
    affordable,
)
from ftk_core.games.to_court_the_king.dice_effects import HAS_EFFECT, PIPS, contains, list_effects, list_set_asides
from ftk_core.games.to_court_the_king.table_state import Step, TableState, may_take, step

ROLL, FINISH, NOTHING, CONCEDE = (
    facts.RollAction(),
    facts.FinishRollingAction(),
    facts.AcquireNothingAction(),
    facts.ConcedeAction(),
)
ACQUIRE_ACTIONS = tuple(facts.AcquireAction(card) for card in (*reversed(CHARACTERS), CHARLATAN, FOOL))
"""Actions that acquire a character, the most expensive first."""
CHARACTERS_WITH_TARGET = (
    FOOL,
    "SERVING_MAID",
    "PHILOSOPHER",
    "ASTRONOMER",
    "MERCHANT",
    "NOBLEWOMAN",
    "MAGICIAN",
    "ALCHEMIST",
    "NOBLEMAN",
)
"""Characters that change active dice (those not set aside). The seat must choose a target: which dice, and how."""
LONGEST_MENU = 3 ** len(PIPS) - 1 + len(CHARACTERS_WITH_TARGET) + 1
"""Number of items on the longest menu: the one after a roll with all twelve dice active.

The number of ways to set dice aside is greatest if each face occurs twice. The menu can also contain every character
that changes active dice, and the roll. It contains no character that adds a die, because there is no thirteenth die.
"""


def legal(table: TableState, _seat: int) -> tuple[Action, ...]:
    """Return the legal actions of the player whose turn it is."""
    # The referee plays the first one for a player who does not answer.
    return MENUS[step(table)](table)


def _window_menu(table: TableState) -> tuple[Action, ...]:
    """Return the legal actions after a roll."""
    # A die must be set aside before the next roll.
    if not table.active:
        return (FINISH, *list_uses(table))
    more = list_uses(table)
    return list_set_asides(table.active) + ((*more, ROLL) if table.may_roll else more)


def list_uses(table: TableState) -> tuple[Action, ...]:
    """Return the characters that the player can use now. Each can be used once a turn."""
    seat, active, aside = table.order[0], table.active, table.aside
    adding, aimed = _remaining_uses(table.cards[seat], table.used)
    now = tuple([use for use, able in aimed if able(active, aside)]) if active else ()
    if len(active) + len(aside) == DICE:
        return now
    queen = table.final and table.queen == seat and QUEEN not in table.used
    return (*adding, *now, facts.UseCharacterAction(QUEEN)) if queen else adding + now


@lru_cache(maxsize=1 << 14)
def _remaining_uses(
    cards: tuple[str, ...], used: tuple[str, ...]
) -> tuple[
    tuple[facts.UseCharacterAction, ...], tuple[tuple[facts.UseCharacterAction, Callable[[Faces, Faces], object]], ...]
]:
    """Return a player's unused characters: those that add a die, and those that change dice."""
    # Each that changes dice comes with a test: can it change the present dice?
    unused = [card for card in cards if card not in used]
    adding = tuple(facts.UseCharacterAction(card) for card in unused if card in ADDED_DIE_VALUES)
    return adding, tuple(
        (facts.UseCharacterAction(card), HAS_EFFECT[card]) for card in CHARACTERS_WITH_TARGET if card in unused
    )


def _acquire_menu(table: TableState) -> tuple[Action, ...]:
    """Return the legal actions at the end of a turn: take no character, or one that the dice pay for."""
    assert table.result is not None
    seat, paid = table.order[0], affordable(table.result)
    paid |= {FOOL, CHARLATAN}  # these cost nothing, but `may_take` limits them
    return (NOTHING, *[one for one in ACQUIRE_ACTIONS if one.card in paid and may_take(table, seat, one.card)])


MENUS: dict[Step, Callable[[TableState], tuple[Action, ...]]] = {
    "window": _window_menu,
    "aim": lambda table: list_effects(table.using or "", table.active, table.aside),
    "acquire": _acquire_menu,
    "final": lambda _table: (ROLL, CONCEDE),
    "none": lambda _table: (),
}


def is_allowed(table: TableState, action: Action) -> bool:
    """Return True if an action is on the menu of the seat that must choose."""
    if isinstance(action, facts.SetAsideAction):  # faster than searching hundreds of choices
        return step(table) == "window" and isinstance(action.faces, tuple) and contains(table.active, action.faces)
    return action in MENUS[step(table)](table)
