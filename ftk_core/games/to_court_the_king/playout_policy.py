"""Fast policy that chooses actions in simulated matches of To Court the King.

It collects the dice of the best plan for the turn, and uses characters after bad rolls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from ftk_core.facts import Action
from ftk_core.games.to_court_the_king.characters import ADDED_DIE_VALUES, QUEEN, Faces
from ftk_core.games.to_court_the_king.facts import (
    AcquireAction,
    ChooseEffectAction,
    RollAction,
    SetAsideAction,
    UseCharacterAction,
)
from ftk_core.games.to_court_the_king.playout_plans import CARD_VALUES, SAVERS, TurnPlanEvaluator, best_plan
from ftk_core.games.to_court_the_king.table_state import TableState, step
from ftk_core.random_streams import RandomBitStream

RAISES = {"NOBLEWOMAN": 1, "NOBLEMAN": 2}
"""Character -> number of pips that it adds to each of the dice that it changes."""


def quick(table: TableState, _seat: int, menu: Sequence[Action], draw: RandomBitStream) -> int:
    """Return the menu index of the action that the policy chooses.

    At the end of a turn, it takes the most valuable character. Before, it follows the best plan for the turn.
    """
    match step(table):
        case "acquire":
            return max(range(len(menu)), key=lambda index: _card_value_of(menu[index]))
        case "aim":
            return _aim(table, menu, best_plan(TurnPlanEvaluator(table), draw).face)
        case "window" if table.active:
            return menu.index(_choose_in_turn(table, draw))
        case "window":
            return 1  # bring in a die
    return 0  # roll in the final round


def _card_value_of(action: Action) -> int:
    return CARD_VALUES[action.card] if isinstance(action, AcquireAction) else 0


def _choose_in_turn(table: TableState, draw: RandomBitStream) -> Action:
    """Return the next action of the best plan for the turn."""
    hand = TurnPlanEvaluator(table)
    plan = best_plan(hand, draw)
    bringers = hand.bringers if hand.more_dice else []
    if cards := [card for card in bringers if ADDED_DIE_VALUES[card] != plan.face]:
        return UseCharacterAction(cards[0])
    if plan.wanted:
        return SetAsideAction(plan.wanted)
    if table.may_roll:
        return RollAction()
    savers = [card for card in SAVERS if card in hand.unused and HELPS[card](table.active, table.aside, plan.face)]
    queens = [QUEEN] if hand.has_queen and hand.more_dice else []
    if plan.face and (cards := [*bringers, *savers, *queens]):
        return UseCharacterAction(cards[0])
    return SetAsideAction(table.active[-1:])


def _has_sum(active: Faces, face: int) -> bool:
    """Return True if pips can be moved between two active dice so that one of them shows `face`."""
    return any(face < one + other <= face + 6 for one, other in combinations(active, 2))


HELPS: dict[str, Callable[[Faces, Faces, int], bool]] = {
    "FOOL": lambda _active, _aside, _face: True,
    "MERCHANT": lambda _active, _aside, _face: True,
    "MAGICIAN": lambda _active, _aside, _face: True,
    "PHILOSOPHER": lambda active, _aside, face: _has_sum(active, face),
    "ALCHEMIST": lambda active, _aside, face: _has_sum(active, face),
    "NOBLEMAN": lambda active, _aside, face: face - 2 in active,
    "NOBLEWOMAN": lambda active, _aside, face: face - 1 in active,
    "SERVING_MAID": lambda active, _aside, face: any(die < face <= die + 3 for die in active),
    "ASTRONOMER": lambda _active, aside, face: face in aside,
}
"""Character -> function (active dice, dice set aside, wanted face) that returns True if the character may give a die
the wanted face when no active die shows it."""


def _aim(table: TableState, menu: Sequence[Action], face: int) -> int:
    """Return the menu index of the effect that makes the most dice show `face`."""
    card, active = table.using or "", table.active
    if not face:  # a state without dice
        return 0
    if card == "MERCHANT":
        unwanted = tuple(die for die in active if die != face)
        return menu.index(ChooseEffectAction(unwanted)) if unwanted else 0
    if card in RAISES:
        raised = active.count(face - RAISES[card])
        effect = ChooseEffectAction((face - RAISES[card],) * raised, (face,) * raised)
        return menu.index(effect) if raised else 0
    return max(range(len(menu)), key=lambda index: _gain_of(menu[index], face))


def _gain_of(action: Action, face: int) -> int:
    return action.after.count(face) - action.before.count(face) if isinstance(action, ChooseEffectAction) else 0
