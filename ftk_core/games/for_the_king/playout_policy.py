"""Fast policy that chooses actions in simulated matches of For the King."""
# It only uses what the player knows, and decides at random between choices of nearly equal value. It only computes
# sums, products, quotients and square roots, which have the same digits on every machine.

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.facts import Action
from ftk_core.games.for_the_king.cards import CARDS
from ftk_core.games.for_the_king.facts import DecreeAction, PayAction, PlaceAction
from ftk_core.games.for_the_king.playout_values.resource_values import GOLD, SeatResourceValues
from ftk_core.games.for_the_king.table_state import TableState, step
from ftk_core.random_streams import RandomBitStream

DRAW_STEPS = 1 << 16
MAX_PRICE = 63
"""Highest price that is considered. The C++ policy stores the possible sums of gold as bits of a 64-bit word."""


def quick(table: TableState, seat: int, menu: Sequence[Action], draw: RandomBitStream) -> int:
    """Return the menu index of the action that the policy chooses for a player."""
    return CardValuePlayoutPolicy(table, seat, draw).choose(menu)


class CardValuePlayoutPolicy:
    """Policy that chooses actions in simulated matches by the values of the cards."""

    def __init__(self, table: TableState, seat: int, draw: RandomBitStream) -> None:
        self.table, self.hand, self.draw = table, table.hands[seat], draw
        self.values = SeatResourceValues(table, seat)
        self.weights = self.values.weights

    def choose(self, menu: Sequence[Action]) -> int:
        """Return the index of the chosen action in the menu."""
        match step(self.table):
            case "place":
                return self._place([action.area for action in menu if isinstance(action, PlaceAction)])
            case "choose":
                return self._pick([self._value_in_middle(card) for card in self.table.middle])
            case "king":
                decrees = [action for action in menu if isinstance(action, DecreeAction)]
                return self._pick([self.values.decree_value(decree) for decree in decrees])
            case "bid":
                return self._bid()
            case "pay" if CARDS[self.table.lot or ""].kind == "gold":
                return self._pay([action.card for action in menu if isinstance(action, PayAction)])
        return 0

    def _decide(self, advantage: float) -> bool:
        """Return True to choose the first of two options. `advantage` is its value minus that of the second, in points.

        The answer is random if the values are nearly equal.
        """
        # Otherwise all simulated matches would be alike.
        chance = 0.5 + advantage / self.weights.mixing
        if chance >= 1 or chance <= 0:
            return chance >= 1
        return self.draw.below(DRAW_STEPS) < chance * DRAW_STEPS

    def _pick(self, values: Sequence[float]) -> int:
        """Return the index of the largest value, or sometimes of the second largest if they are nearly equal."""
        # This makes simulated matches from the same game state differ.
        best, *others = sorted(range(len(values)), key=lambda index: (-values[index], index))
        return best if not others or self._decide(values[best] - values[others[0]]) else others[0]

    def _value_in_middle(self, card: str) -> float:
        weights, values = self.weights, self.values
        return values.gain(card, weights.king_taken) + weights.denial_taken * values.denial(card)

    def _place(self, areas: list[str]) -> int:
        """Return the index of the area in which to place the drawn card."""
        weights, card, seats = self.weights, self.table.drawn or "", self.table.seats
        gain, denial = self.values.gain(card, weights.king_kept), self.values.denial(card)
        left = len(areas) + (seats - 2 if "middle" in areas else 0)
        given, stashed = weights.middle, weights.favor * gain
        given -= weights.denial_middle * denial + weights.gold_middle * GOLD[card]
        stashed -= weights.denial_favor * denial + weights.gold_favor * GOLD[card]
        if CARDS[card].kind == "king":
            given -= weights.king_middle
            stashed += weights.king_favor
        worth = {"middle": given, "favor": stashed, "self": gain - weights.patience * left / (seats + 1)}
        return self._pick([worth[area] for area in areas])

    def _bid(self) -> int:
        """Return the menu index of the chosen bid, or 0 to pass.

        A bid for a gold card is one higher than the last bid. A bid for another card is the lowest legal amount that
        the hand can pay exactly with gold cards.
        """
        lot, values, weights = self.table.lot or "", self.values, self.weights
        if CARDS[lot].kind == "gold":
            return self._bid_for_gold(lot)
        price = self._payment_for(self.table.bid + 1)
        if price == 0:
            return 0
        worth = values.gain(lot, weights.king_bought) + weights.denial_bought * values.denial(lot)
        cost = price * values.price_of_gold(values.own.gold - 0.5 * price)
        return price - self.table.bid if self._decide(worth - cost) else 0

    def _bid_for_gold(self, lot: str) -> int:
        """Return 1 to raise the bid for a gold card by one, or 0 to pass."""
        # The price is `bid` cards of the hand, of any kind.
        amount = self.table.bid + 1
        if amount > len(self.hand) or not self.table.favor:
            return 0
        cost = 0.0
        for loss in sorted(map(self.values.loss, self.hand))[:amount]:
            cost += loss
        return int(self._decide(self.values.gain(lot, 0.0) - cost))

    def _payment_for(self, amount: int) -> int:
        """Return the lowest price, at least `amount`, that the hand's gold cards can pay exactly; 0 without one."""
        # Bit n of `sums` is set if some gold cards of the hand add up to n.
        sums = 1
        for card in self.hand:
            sums |= sums << GOLD[card]
        payments = (sums & (2 << MAX_PRICE) - 1) >> amount
        return amount + (payments & -payments).bit_length() - 1 if payments else 0

    def _pay(self, cards: list[str]) -> int:
        """Return the menu index of the next card to discard as payment for a gold card."""
        # Cards are paid in the order of the menu. Let n be the number still to pay: choose the first one that is among
        # the n least valuable of those that may still be paid.
        paid = self.table.paid
        last = CARDS[paid[-1]].order if paid else -1
        losses = sorted(self.values.loss(card) for card in self.hand if CARDS[card].order > last)
        limit = losses[self.table.bid - len(paid) - 1]
        return next(index for index, card in enumerate(cards) if self.values.loss(card) <= limit)
