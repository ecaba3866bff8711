"""Random guesses at the gold cards in hidden hands."""
# Simulated matches start from such guesses. A guess must agree with the payments that all players saw.

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb, perm
from typing import TypeVar

from ftk_core.game import replace_at
from ftk_core.random_streams import RandomBitStream

T = TypeVar("T")
Coins = tuple[int, int, int]
"""Number of gold cards of each of the values 1, 2 and 3."""
HandEvent = tuple[str, int, int]
"""Event in the history of a hand: (kind, number, cards in the hand before the event).

The meaning of the number depends on the kind:

* ``gained`` (a card entered the hand): the value of the card if it is gold, else 0
* ``coin`` (a gold card was paid): the value of the card
* ``lost`` (a card left the hand face down): no meaning
* ``short`` (the hand could not pay a bid): the bid, or 0 if the event proves nothing about the gold in the hand
* ``rich`` (the hand can pay the rest of a bid): 10 * rest + highest allowed value of the next gold card
"""
HandRecord = tuple[int, tuple[HandEvent, ...]]
"""Public record of a hand: (number of cards kept face down, all other events of the hand in order)."""
CONSTRAINING_EVENTS = ("coin", "short", "rich")
"""Kinds of events that limit the possible gold in a hand."""
MAX_COINS = 1 << 10
"""Count that stands for any sufficiently large number of gold cards of one value.

If a hand has at least as many gold cards as its later events can use up, the exact number does not matter.
"""
WEIGHT_STEPS = 1 << 32


def add_weights(choices: Sequence[tuple[T, float]]) -> float:
    """Return the sum of the weights of (choice, weight) pairs."""
    # `sum` rounds differently from Python 3.12 on.
    total = 0.0
    for _, weight in choices:
        total += weight
    return total


def choose_weighted(draw: RandomBitStream, choices: Sequence[tuple[T, float]]) -> T:
    """Draw a choice from (choice, weight) pairs, with a probability proportional to its weight."""
    point = draw.below(WEIGHT_STEPS) / WEIGHT_STEPS * add_weights(choices)
    for choice, weight in choices:
        point -= weight
        if point < 0:
            return choice
    return next(choice for choice, weight in reversed(choices) if weight)  # rounding consumed the remaining weight


class HandHistoryLikelihood:
    """Probability of all that is public about one player's hand, given the gold cards that the player kept hidden."""

    def __init__(self, hand_record: HandRecord) -> None:
        self.kept, hand_events = hand_record
        most = 3 * self.kept + sum([number for kind, number, _ in hand_events if kind == "gained"])
        self.hand_events = [  # a bid above any possible amount tells nothing about the hand
            ("short", 0, size) if kind == "short" and number > most else (kind, number, size)
            for kind, number, size in hand_events
        ]
        checks = [at for at, (kind, number, _) in enumerate(self.hand_events) if kind in CONSTRAINING_EVENTS and number]
        self.end = checks[-1] + 1 if checks else 0
        """Number of events up to the last one that limits the possible gold.

        Later events are possible with any gold.
        """
        self._most = _coins_needed(self.hand_events[: self.end])
        self._known: dict[tuple[int, Coins], float] = {}

    def chance(self, at: int, coins: Coins) -> float:
        """Return the probability of the hand's events from index `at` on.

        `coins` is the number of gold cards of each value before these events.
        """
        # The model assumes that cards that left the hand face down were chosen at random.
        if at >= self.end:
            return 1.0
        one, two, three = (MAX_COINS if n >= most else n for n, most in zip(coins, self._most[at], strict=True))
        key = at, (one, two, three)
        if key not in self._known:
            self._known[key] = add_weights(self.ways(*key))
        return self._known[key]

    def ways(self, at: int, coins: Coins) -> list[tuple[int, float]]:
        """Return the possible outcomes of the hand's event `at`, as (value, weight) pairs.

        The value is the value of the gold card that enters or leaves the hand; 0 for no gold card. The weight is the
        probability of this outcome and of all later events.
        """
        kind, number, size = self.hand_events[at]
        if kind == "lost":
            gold = [(value, count) for value, count in enumerate(coins, 1) if 0 < count < MAX_COINS]
            others = (0, (size - sum(count for _, count in gold)) / size * self.chance(at + 1, coins))
            return [others, *((v, count / size * self.chance(at + 1, remove_coins(coins, v))) for v, count in gold)]
        if kind == "coin":
            return [(number, self.chance(at + 1, remove_coins(coins, number)))] if coins[number - 1] else []
        if kind == "gained":
            return [(number, self.chance(at + 1, remove_coins(coins, number, -1)))]
        return [(0, self.chance(at + 1, coins))] if _is_event_possible(kind, number, coins) else []


def _is_event_possible(kind: str, number: int, coins: Coins) -> bool:
    if kind == "short":
        return not number or sum(value * count for value, count in enumerate(coins, 1)) < number
    left, highest = divmod(number, 10)
    return sum(value * count for value, count in enumerate(coins[:highest], 1)) >= left


def _coins_needed(hand_events: Sequence[HandEvent]) -> list[Coins]:
    """Return, for each event, the number of gold cards of each value beyond which more cards make no difference."""
    # The probabilities are those of this event and later events. Treating larger numbers alike keeps the cache small.
    most, needed = (0, 0, 0), list[Coins]()
    for kind, number, _ in reversed(hand_events):
        match kind:
            case "lost":
                most = most[0] + 1, most[1] + 1, most[2] + 1
            case "coin":
                most = remove_coins(most, number, -1)
            case "short" if number:
                most = MAX_COINS, MAX_COINS, MAX_COINS  # no limit: more gold makes this event less likely
            case "rich":
                left, highest = divmod(number, 10)
                one, two, three = (
                    max(n, -(-left // value)) if value <= highest else n for value, n in enumerate(most, 1)
                )
                most = one, two, three
            case _:
                pass
        needed.append(most)
    return needed[::-1]


def remove_coins(coins: Coins, value: int, count: int = 1) -> Coins:
    """Return `coins` with `count` fewer gold cards of this value. If `value` is 0, return `coins` unchanged."""
    # `MAX_COINS` stands for any large number, so it is not reduced.
    if not value or coins[value - 1] == MAX_COINS:
        return coins
    one, two, three = replace_at(coins, value - 1, coins[value - 1] - count)
    return one, two, three


class HiddenGoldSampler:
    """Random draws of the gold cards in hidden hands."""

    # A distribution of the gold weighs the number of deals that lead to it, times the probability that hands with this
    # gold have the history that all players saw.

    def __init__(self, records: tuple[HandRecord, ...], coins: Coins, others: int) -> None:
        """Prepare random draws for hidden hands.

        `records` holds the public record of each hand. `coins` is the number of unseen gold cards of each value, and
        `others` the number of unseen government cards.
        """
        self.likelihoods = [HandHistoryLikelihood(hand_record) for hand_record in records]
        self._coins, self._others = coins, others
        self._shares = [_possible_shares(hand_likelihood) for hand_likelihood in self.likelihoods]
        self._known: dict[tuple[int, Coins, int], list[tuple[Coins, float]]] = {}

    def dealt(self, draw: RandomBitStream) -> list[Coins]:
        """Draw the gold cards that each hand was dealt face down.

        Returns, for each hand, the number of gold cards of the values 1, 2 and 3.
        """
        coins, others, dealt_coins = self._coins, self._others, list[Coins]()
        for number, hand_likelihood in enumerate(self.likelihoods):
            share = choose_weighted(draw, self._weighted_shares(number, coins, others))
            coins, others = _remaining_coins(coins, share), others - hand_likelihood.kept + sum(share)
            dealt_coins.append(share)
        return dealt_coins

    def _weighted_shares(self, number: int, coins: Coins, others: int) -> list[tuple[Coins, float]]:
        # Hands are drawn one after the other: `coins` and `others` count the unseen cards left for this hand and later
        # ones.
        key = number, coins, others
        if key not in self._known:
            self._known[key] = self._compute_weighted_shares(*key)
        return self._known[key]

    def _compute_weighted_shares(self, number: int, coins: Coins, others: int) -> list[tuple[Coins, float]]:
        kept_count, weighted_shares = self.likelihoods[number].kept, list[tuple[Coins, float]]()
        for share, weight in self._shares[number]:
            cards = kept_count - sum(share)
            deals = weight * perm(others, cards)
            for available, dealt in zip(coins, share, strict=True):
                deals *= perm(available, dealt)
            if deals:
                weighted_shares.append(
                    (share, deals * self._weight(number + 1, _remaining_coins(coins, share), others - cards))
                )
        return weighted_shares

    def _weight(self, number: int, coins: Coins, others: int) -> float:
        if number == len(self.likelihoods):
            return 1.0
        return add_weights(self._weighted_shares(number, coins, others))


def _remaining_coins(coins: Coins, share: Coins) -> Coins:
    return coins[0] - share[0], coins[1] - share[1], coins[2] - share[2]


def _possible_shares(hand_likelihood: HandHistoryLikelihood) -> list[tuple[Coins, float]]:
    """List the sets of gold cards that a hand may have kept face down, as (number of cards of each value, weight).

    The weight is the number of orders in which a hand can keep these cards, times the probability of the hand's public
    record with these cards.
    """
    shares = list[tuple[Coins, float]]()
    for one, two, three in product(range(hand_likelihood.kept + 1), repeat=3):
        if (gold := one + two + three) <= hand_likelihood.kept and (
            chance := hand_likelihood.chance(0, (one, two, three))
        ):
            orders = comb(hand_likelihood.kept, gold) * comb(gold, one) * comb(gold - one, two)
            shares.append(((one, two, three), orders * chance))
    return shares
