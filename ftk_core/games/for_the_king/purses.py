"""Gold that other hands can have held: payments prove that it was there, failed payments that it was not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb, perm
from typing import TypeVar

from ftk_core.game import put
from ftk_core.rng import Draw

T = TypeVar("T")
Coins = tuple[int, int, int]
"""Number of gold cards of each of the values 1, 2 and 3."""
Happening = tuple[str, int, int]
"""Event in the history of a hand: (kind, number, cards in the hand before it).

The number depends on the kind. ``gained``: the value of the gold card, or 0. ``coin``: its value. ``lost``: unused.
``short``: the bid that could not be paid in gold. ``rich``: ten times the amount still to be paid plus the highest coin
that can follow.
"""
Purse = tuple[int, tuple[Happening, ...]]
"""Hand of a seat: number of cards kept face down, and its later events."""
CHECKS = ("coin", "short", "rich")
"""Kinds of events that constrain the gold in the hand."""
PLENTY = 1 << 10
"""Upper bound: more gold of a value than can be lost or paid."""
FINE = 1 << 32


def weighted(draw: Draw, choices: Sequence[tuple[T, float]]) -> T:
    """Return one of the choices at random, with probability proportional to its weight."""
    point = draw.below(FINE) / FINE * sum(weight for _, weight in choices)
    for choice, weight in choices:
        point -= weight
        if point < 0:
            return choice
    return next(choice for choice, weight in reversed(choices) if weight)  # rounding consumed the remaining weight


class Fate:
    """Possible histories of one hand."""

    def __init__(self, purse: Purse) -> None:
        self.kept, happenings = purse
        most = 3 * self.kept + sum([number for what, number, _ in happenings if what == "gained"])
        self.happenings = [  # a bid above any possible amount constrains nothing
            ("short", 0, size) if what == "short" and number > most else (what, number, size)
            for what, number, size in happenings
        ]
        checks = [at for at, (what, number, _) in enumerate(self.happenings) if what in CHECKS and number]
        self.end = checks[-1] + 1 if checks else 0
        """Number of events up to the last constraint. Everything is possible after it."""
        self._most = _most_needed(self.happenings[: self.end])
        self._known: dict[tuple[int, Coins], float] = {}

    def chance(self, at: int, coins: Coins) -> float:
        """Return the probability of all events from index `at` on with this gold, if losses are random."""
        if at >= self.end:
            return 1.0
        one, two, three = (PLENTY if n >= most else n for n, most in zip(coins, self._most[at], strict=True))
        key = at, (one, two, three)
        if key not in self._known:
            self._known[key] = sum(weight for _, weight in self.ways(*key))
        return self._known[key]

    def ways(self, at: int, coins: Coins) -> list[tuple[int, float]]:
        """Return the possible coin values of an event, 0 for no gold, with the probability of each."""
        what, number, size = self.happenings[at]
        if what == "lost":
            gold = [(value, count) for value, count in enumerate(coins, 1) if 0 < count < PLENTY]
            others = (0, (size - sum(count for _, count in gold)) / size * self.chance(at + 1, coins))
            return [others, *((v, count / size * self.chance(at + 1, less(coins, v))) for v, count in gold)]
        if what == "coin":
            return [(number, self.chance(at + 1, less(coins, number)))] if coins[number - 1] else []
        if what == "gained":
            return [(number, self.chance(at + 1, less(coins, number, -1)))]
        return [(0, self.chance(at + 1, coins))] if _holds(what, number, coins) else []


def _holds(what: str, number: int, coins: Coins) -> bool:
    if what == "short":
        return not number or sum(value * count for value, count in enumerate(coins, 1)) < number
    left, highest = divmod(number, 10)
    return sum(value * count for value, count in enumerate(coins[:highest], 1)) >= left


def _most_needed(happenings: Sequence[Happening]) -> list[Coins]:
    """Return the amount of gold of each value that suffices before each event, whatever is lost."""
    most, found = (0, 0, 0), list[Coins]()
    for what, number, _ in reversed(happenings):
        match what:
            case "lost":
                most = most[0] + 1, most[1] + 1, most[2] + 1
            case "coin":
                most = less(most, number, -1)
            case "short" if number:
                most = PLENTY, PLENTY, PLENTY  # no limit: more gold makes this event less likely
            case "rich":
                left, highest = divmod(number, 10)
                one, two, three = (
                    max(n, -(-left // value)) if value <= highest else n for value, n in enumerate(most, 1)
                )
                most = one, two, three
            case _:
                pass
        found.append(most)
    return found[::-1]


def less(coins: Coins, value: int, count: int = 1) -> Coins:
    """Return the coins without `count` of a value; 0 means no coin."""
    if not value or coins[value - 1] == PLENTY:
        return coins
    one, two, three = put(coins, value - 1, coins[value - 1] - count)
    return one, two, three


class Purses:
    """Distribution of the hidden gold over several hands, weighted by the number of deals."""

    def __init__(self, purses: tuple[Purse, ...], coins: Coins, others: int) -> None:
        """Store the hands, the amount of hidden gold, and the number of other hidden cards."""
        self.fates = [Fate(purse) for purse in purses]
        self._coins, self._others = coins, others
        self._shares = [_shares(fate) for fate in self.fates]
        self._known: dict[tuple[int, Coins, int], list[tuple[Coins, float]]] = {}

    def dealt(self, draw: Draw) -> list[Coins]:
        """Draw the gold that each hand was dealt face down."""
        coins, others, found = self._coins, self._others, list[Coins]()
        for number, fate in enumerate(self.fates):
            share = weighted(draw, self._ways(number, coins, others))
            coins, others = _rest(coins, share), others - fate.kept + sum(share)
            found.append(share)
        return found

    def _ways(self, number: int, coins: Coins, others: int) -> list[tuple[Coins, float]]:
        """Return the possible shares of the rest for a hand, with their weights."""
        key = number, coins, others
        if key not in self._known:
            self._known[key] = self._worked_out(*key)
        return self._known[key]

    def _worked_out(self, number: int, coins: Coins, others: int) -> list[tuple[Coins, float]]:
        kept, found = self.fates[number].kept, list[tuple[Coins, float]]()
        for share, weight in self._shares[number]:
            cards = kept - sum(share)
            deals = weight * perm(others, cards)
            for have, taken in zip(coins, share, strict=True):
                deals *= perm(have, taken)
            if deals:
                found.append((share, deals * self._weight(number + 1, _rest(coins, share), others - cards)))
        return found

    def _weight(self, number: int, coins: Coins, others: int) -> float:
        if number == len(self.fates):
            return 1.0
        return sum([weight for _, weight in self._ways(number, coins, others)])


def _rest(coins: Coins, share: Coins) -> Coins:
    return coins[0] - share[0], coins[1] - share[1], coins[2] - share[2]


def _shares(fate: Fate) -> list[tuple[Coins, float]]:
    """Return the possible shares for a hand: number of orders times the probability of its events."""
    found = list[tuple[Coins, float]]()
    for one, two, three in product(range(fate.kept + 1), repeat=3):
        if (gold := one + two + three) <= fate.kept and (chance := fate.chance(0, (one, two, three))):
            orders = comb(fate.kept, gold) * comb(gold, one) * comb(gold - one, two)
            found.append(((one, two, three), orders * chance))
    return found
