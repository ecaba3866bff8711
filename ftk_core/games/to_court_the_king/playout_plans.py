"""Plans for a turn in a simulated match: dice to collect, and their expected value."""

from __future__ import annotations

from typing import NamedTuple

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
from ftk_core.games.to_court_the_king.dice_probabilities import (
    CERTAIN,
    chance_of_faces,
    chance_of_pips,
    chances_of_hits,
)
from ftk_core.games.to_court_the_king.table_state import TableState, may_take
from ftk_core.random_streams import RandomBitStream

CARD_VALUES = {
    "FOOL": 33, "FARMER": 336, "SERVING_MAID": 170, "PHILOSOPHER": 97, "LABORER": 270, "GUARD": 260, "HUNTER": 563,
    "ASTRONOMER": 264, "MERCHANT": 85, "NOBLEWOMAN": 245, "PAWN_BROKER": 304, "KNIGHT": 400, "MAGICIAN": 256,
    "ALCHEMIST": 312, "BISHOP": 425, "NOBLEMAN": 252, "GENERAL": 940, "KING": 1250, "CHARLATAN": 93,
}  # fmt: skip
"""Values of the characters, on the scale of `EQUAL_DIE_VALUE`, tuned in matches of the playout policy."""
EQUAL_DIE_VALUE = 20
"""Value of each equal die in a set, added to the value of the character that the set wins."""
FINAL_DIE_VALUE, LEAD_VALUE = 50, 2000
"""Values in the final round: of each equal die, and of a result that is ahead (T20)."""
TIE_ODDS = 12
"""In a tie between plans for two faces, the lower face is chosen with probability 1 / `TIE_ODDS`."""
EQUAL_DICE_THAT_WIN = {
    "FARMER": 2, "GUARD": 3, "HUNTER": 4, "ASTRONOMER": 4, "KNIGHT": 5, "NOBLEWOMAN": 5, "BISHOP": 6, "NOBLEMAN": 6,
    "GENERAL": 6, "KING": 7,
}  # fmt: skip
PIPS_THAT_WIN = {"LABORER": 15, "PAWN_BROKER": 30}
PAIRS_THAT_WIN = {"ASTRONOMER": 2, "BISHOP": 3}
SAVERS = (
    "FOOL", "MERCHANT", "PHILOSOPHER", "ALCHEMIST", "NOBLEMAN", "NOBLEWOMAN", "SERVING_MAID", "ASTRONOMER", "MAGICIAN"
)  # fmt: skip
"""Characters that can give a die the wanted face after a roll in which no die shows it.

The policy tries them in this order: characters that can seldom help come first.
"""


class TurnPlan(NamedTuple):
    """Plan of a player for one turn: the dice to collect, and their expected value."""

    score: int
    """Expected value of the plan, times `CERTAIN`."""
    wanted: Faces
    """Active dice to set aside."""
    face: int = 0
    """Face of which the plan collects as many as possible; 0 for other plans."""


class TurnPlanEvaluator:
    """Evaluator of a player's possible plans for the rest of the turn."""

    def __init__(self, table: TableState) -> None:
        seat = table.order[0]
        self.table, self.active, self.dice = table, table.active, table.active + table.aside
        self.unused = [card for card in table.cards[seat] if card not in table.used]
        self.has_queen = table.final and table.queen == seat and QUEEN not in table.used
        self.bringers = [card for card in self.unused if card in ADDED_DIE_VALUES]
        self.more_dice = min(len(self.bringers) + self.has_queen, DICE - len(self.dice))  # T3
        self.savers = sum(card in SAVERS for card in self.unused)
        self.offered = [] if table.final else [card for card in CHARACTERS if may_take(table, seat, card)]
        won = affordable(table.aside) - {"SERVING_MAID", "PHILOSOPHER"}  # the rest of the dice may differ in parity
        sure = [CHARLATAN if FOOL in table.cards[seat] else FOOL, *won.intersection(self.offered)]
        self.floor = max(CARD_VALUES[card] for card in sure)
        """Value of the best character that the seat can take whatever it rolls: at least a Fool or a Charlatan."""
        self.values = [self._value_of_set(count) for count in range(DICE + 1)]

    def value_of(self, count: int, face: int) -> int:
        """Return the value of a turn that ends with `count` dice that show `face`, on the scale of `CARD_VALUES`.

        It includes the value of the best character that these dice win. In the final round, it includes instead the
        value of taking the lead.
        """
        if not self.table.final:
            return self.values[count]
        best, has_queen = self.table.best, self.table.queen == self.table.order[0]
        is_ahead = (count, face) > best or (has_queen and (count, face) == best)  # T20, T21
        return FINAL_DIE_VALUE * count + face + LEAD_VALUE * is_ahead

    def _value_of_set(self, count: int) -> int:
        won = (CARD_VALUES[card] for card in self.offered if EQUAL_DICE_THAT_WIN.get(card, count + 1) <= count)
        return EQUAL_DIE_VALUE * count + max([self.floor, *won])

    def expected_value(self, card: str, chance: int) -> int:
        """Return the expected value, times `CERTAIN`, of a plan to win a character.

        `chance` is the plan's probability of success, times `CERTAIN`.
        """
        # If the plan fails, the player takes the best character that is certain, whose value is `floor`.
        return chance * CARD_VALUES[card] + (CERTAIN - chance) * self.floor


def best_plan(hand: TurnPlanEvaluator, draw: RandomBitStream) -> TurnPlan:
    """Return the plan with the highest expected value."""
    # The effect of a character in use is chosen for one face, so only plans to collect one face are compared then.
    best = TurnPlan(-1, ())
    for face in sorted(set(hand.dice), reverse=True):
        plan = _collect(hand, face)
        if plan.score > best.score or (plan.score == best.score and draw.below(TIE_ODDS) == 0):
            best = plan
    if hand.table.using is not None:
        return best
    others = [_add_pips(hand, card, pips) for card, pips in PIPS_THAT_WIN.items() if card in hand.offered]
    others += [_make_pairs(hand, card, pairs) for card, pairs in PAIRS_THAT_WIN.items() if card in hand.offered]
    return max([best, *others], key=lambda plan: plan.score)


def _collect(hand: TurnPlanEvaluator, face: int) -> TurnPlan:
    """Return the plan to collect as many dice of one face as possible."""
    hits, has_face = hand.dice.count(face), face in hand.active
    rest, savers = len(hand.active) - hand.active.count(face) + hand.more_dice, hand.savers
    spares = sum(ADDED_DIE_VALUES[card] == face for card in hand.bringers) + hand.has_queen
    spares = min(spares, hand.more_dice)  # dice of this face that are brought in after a roll without it
    if hand.active and not (has_face or spares or hand.table.may_roll):
        hits, savers, rest = hits + (savers > 0), max(savers - 1, 0), rest - 1
    chances = chances_of_hits(rest - spares, savers)
    score = sum(chance * hand.value_of(hits + spares + more, face) for more, chance in enumerate(chances))
    return TurnPlan(score, (face,) * hand.active.count(face), face)


def _add_pips(hand: TurnPlanEvaluator, card: str, pips: int) -> TurnPlan:
    """Return the plan to reach a sum of pips, which pays for a character."""
    # Every 6 is set aside. Without a 6, the player rolls again or, if that is not allowed, sets the highest die aside.
    active, missing = hand.active, pips - sum(hand.table.aside)
    if sum(active) >= missing:
        return TurnPlan(hand.expected_value(card, CERTAIN), active)
    sixes = active.count(6)
    wanted = (6,) * sixes if sixes or hand.table.may_roll else active[-1:]
    rest = len(active) - len(wanted) + hand.more_dice
    return TurnPlan(hand.expected_value(card, chance_of_pips(rest, missing - sum(wanted))), wanted)


def _make_pairs(hand: TurnPlanEvaluator, card: str, pairs: int) -> TurnPlan:
    """Return the plan to collect pairs of dice, which pay for a character."""
    # It keeps all pairs, and a single die for each missing pair, preferably one with an equal die already set aside.
    counts = {face: hand.dice.count(face) for face in range(1, 7)}
    missing = max(0, pairs - sum(count // 2 for count in counts.values()))
    singles = sorted((face for face in counts if counts[face] % 2), key=lambda face: (face in hand.table.aside, face))
    kept = singles[len(singles) - min(missing, len(singles)) :]
    keep = {face: count - count % 2 + (face in kept) for face, count in counts.items()}
    wanted = tuple(
        face for face in counts for _ in range(min(hand.active.count(face), keep[face] - hand.table.aside.count(face)))
    )
    rest = len(hand.active) - len(wanted) + hand.more_dice
    dice_missing = 2 * missing - len(kept)
    if dice_missing and not (wanted or hand.table.may_roll):
        rest -= 1
    return TurnPlan(hand.expected_value(card, chance_of_faces(rest, dice_missing)), wanted)
