"""Values of cards and gold for one player, in victory points."""
# An office gives points to the two players with the best cards in it. The value of a card follows from the chances to
# be first or second there.

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from ftk_core.games.for_the_king.cards import CARDS, OFFICES, secondary_duty
from ftk_core.games.for_the_king.facts import DecreeAction
from ftk_core.games.for_the_king.playout_values.playout_policy_weights import POLICY_WEIGHTS
from ftk_core.games.for_the_king.scoring import NO_LETTER
from ftk_core.games.for_the_king.table_state import TableState

HIGH_OFFICE_COUNT = 2
"""Number of offices with high card values. They come first in `OFFICES`."""
GOLD = {card.id: card.value if card.kind == "gold" else 0 for card in CARDS.values()}
"""Card id -> value of a gold card; 0 for any other card."""


class HandStrength(NamedTuple):
    """Strength of a hand in each office, and its gold."""

    sums: tuple[float, ...]
    """By office: sum of the hand's card values."""
    letters: tuple[str, ...]
    """By office: earliest letter of the hand's cards. If two hands have equal sums, the earlier letter wins."""
    gold: int


@lru_cache(1 << 14)
def strength_of(cards: tuple[str, ...]) -> HandStrength:
    """Return the strength of a hand with these cards."""
    # Cached, because the same hands recur in simulated matches.
    sums, letters, gold = [0] * len(OFFICES), [NO_LETTER] * len(OFFICES), 0
    for card in cards:
        gold += GOLD[card]
        if (office := CARDS[card].office) >= 0:
            sums[office] += CARDS[card].value
            letters[office] = min(letters[office], CARDS[card].letter)
    return HandStrength(tuple(sums), tuple(letters), gold)


class OfficeWinChances(NamedTuple):
    """A player's chances to be first or second in an office."""

    # The chance to be second is the product of `first` and `odds`.

    first: float
    """Chance to be first."""
    odds: float
    """Sum over the rivals of (1 - p) / p, where p is the chance of this seat to end ahead of the rival."""


class SeatResourceValues:
    """Values of cards and gold for one player, computed only from what this player knows."""

    def __init__(self, table: TableState, seat: int) -> None:
        self.table = table
        self.weights = weights = POLICY_WEIGHTS[table.seats]
        self.own = strength_of(table.hands[seat])
        self.rivals = [self._estimate_strength(other) for other in range(table.seats) if other != seat]
        self.sharpness = (weights.sharpness_high, weights.sharpness_low)
        self.coin = weights.coin - weights.coin_fall * self.own.gold
        if table.phase == "esteem":
            high, low = self.sharpness
            self.sharpness = (high * weights.auction_sharpness, low * weights.auction_sharpness)
            self.coin = self.price_of_gold(self.own.gold)

    def _estimate_strength(self, other: int) -> HandStrength:
        """Estimate the strength of an opponent's hand."""
        sums, letters, gold = strength_of(self.table.known[other])
        unseen = max(0, len(self.table.hands[other]) - len(self.table.known[other]))
        high, low = self.weights.unseen_high, self.weights.unseen_low
        likely = [value + unseen * (high if office < HIGH_OFFICE_COUNT else low) for office, value in enumerate(sums)]
        return HandStrength(tuple(likely), letters, gold)

    def price_of_gold(self, gold: float) -> float:
        """Return the value of one gold in the remaining auctions, in victory points.

        `gold` is the amount that the player holds. A larger amount lowers the value.
        """
        left, weights = len(self.table.favor), self.weights
        price = weights.demand * (left + weights.last_demand) / (gold + weights.supply * (left + 1))
        return min(weights.coin_limit, price)

    def gain(self, card: str, king: float) -> float:
        """Return the points that the player can expect to gain from one more card.

        If the card is a King card, the result is `king`, an estimate by the caller.
        """
        kind, value, office = CARDS[card].kind, CARDS[card].value, CARDS[card].office
        if kind == "king":
            return king
        if kind == "gold":
            return self.coin * value
        if office >= len(self.table.duties):
            return 0.0
        own, letter = self.own.sums[office], self.own.letters[office]
        more = self._points_with(office, own + value, min(letter, CARDS[card].letter))
        return more - self._points_with(office, own, letter)

    def loss(self, card: str) -> float:
        """Return the expected points that this seat loses by giving up a card of its hand."""
        kind, value, office = CARDS[card].kind, CARDS[card].value, CARDS[card].office
        if kind == "gold":
            return self.coin * value
        if kind == "king" or office >= len(self.table.duties):
            return 0.0
        own, letter = self.own.sums[office], self.own.letters[office]
        less = self._points_with(office, own, letter) - self._points_with(office, own - value, letter)
        return self.weights.loss_of_any + self.weights.loss * less

    def denial(self, card: str) -> float:
        """Return the points that the player loses on average if a random opponent gets a card."""
        office, value = CARDS[card].office, CARDS[card].value
        if not 0 <= office < len(self.table.duties) or self.own.sums[office] <= 0:
            return 0.0
        own, letter = self.own.sums[office], self.own.letters[office]
        first, odds = now = self._compete(office, own, letter)
        before, total = self._points_in(office, now), 0.0
        for rival in self.rivals:
            wins = self._chance(office, own, letter, rival, 0)
            less = self._chance(office, own, letter, rival, value)
            after = OfficeWinChances(first / wins * less, odds - (1 - wins) / wins + (1 - less) / less)
            total += before - self._points_in(office, after)
        return total / (self.table.seats - 1)

    def decree_value(self, decree: DecreeAction) -> float:
        """Estimate how much an effect of a King card helps the player, in points."""
        # The value is the change of the lead: own expected points less those of the average opponent.
        total = 0.0
        for change, names in ((1, decree.up), (-1, decree.down)):
            for office in map(OFFICES.index, names):
                contest = self._compete(office, self.own.sums[office], self.own.letters[office])
                duty = self.table.duties[office]
                total += self._lead(office, contest, duty + change) - self._lead(office, contest, duty)
        return total

    def _lead(self, office: int, contest: OfficeWinChances, duty: int) -> float:
        """Return the expected points from an office, minus the expected points of an average opponent."""
        # `duty` is the number of points for the first place.
        second = secondary_duty(duty, self.table.seats)
        points = contest.first * (duty + second * contest.odds) if self.own.sums[office] > 0 else 0.0
        return points - (duty + second - points) / (self.table.seats - 1)

    def _points_with(self, office: int, own: float, letter: str) -> float:
        # `own` is the hand's sum of card values in the office, and `letter` its best letter, which breaks ties.
        return self._points_in(office, self._compete(office, own, letter)) if own > 0 else 0.0

    def _points_in(self, office: int, contest: OfficeWinChances) -> float:
        duty = self.table.duties[office]
        return contest.first * (duty + secondary_duty(duty, self.table.seats) * contest.odds)

    def _compete(self, office: int, own: float, letter: str) -> OfficeWinChances:
        first, odds = 1.0, 0.0
        for rival in self.rivals:
            wins = self._chance(office, own, letter, rival, 0)
            first *= wins
            odds += (1 - wins) / wins
        return OfficeWinChances(first, odds)

    def _chance(self, office: int, own: float, letter: str, rival: HandStrength, more: int) -> float:
        """Return the chance to end ahead of one opponent in an office."""
        # `own` is the player's sum of card values, `letter` the best letter, which breaks ties. `more` is the value of
        # a further card that the opponent is assumed to get.
        lead = own - rival.sums[office] - more
        if letter != rival.letters[office]:
            lead += self.weights.letter if letter < rival.letters[office] else -self.weights.letter
        lead *= self.sharpness[office >= HIGH_OFFICE_COUNT]
        return 0.5 + 0.5 * lead / sqrt(1 + lead * lead)
