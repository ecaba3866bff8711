"""What gold the others can have had: who paid coins had them, and who could not pay had not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb, perm
from typing import TypeVar

from ftk_core.game import put
from ftk_core.rng import Draw

T = TypeVar("T")
Coins = tuple[int, int, int]
"""How many gold cards of the values 1, 2 and 3."""
Happening = tuple[str, int, int]
"""What became of a hand: (what, number, cards in the hand before it).

The number is for ``gained`` the value of the gold card or 0, for ``coin`` its value, for ``lost`` nothing, for
``short`` the bid that was not to be paid in gold, and for ``rich`` ten times what is still to be paid plus the highest
coin that can follow.
"""
Purse = tuple[int, tuple[Happening, ...]]
"""A seat: how many cards it kept face down, and what became of its hand since."""
CHECKS = ("coin", "short", "rich")
"""What only some gold allows."""
PLENTY = 1 << 10
"""More gold of a value than can be lost or paid."""
FINE = 1 << 32


def weighted(draw: Draw, choices: Sequence[tuple[T, float]]) -> T:
    """Return one of the choices, each as likely as its weight says."""
    point = draw.below(FINE) / FINE * sum(weight for _, weight in choices)
    for choice, weight in choices:
        point -= weight
        if point < 0:
            return choice
    return next(choice for choice, weight in reversed(choices) if weight)  # rounding ate the rest


class Fate:
    """What can have become of one purse."""

    def __init__(self, purse: Purse) -> None:
        self.kept, happenings = purse
        most = 3 * self.kept + sum([number for what, number, _ in happenings if what == "gained"])
        self.happenings = [  # who bid more than there can have been tells nothing
            ("short", 0, size) if what == "short" and number > most else (what, number, size)
            for what, number, size in happenings
        ]
        checks = [at for at, (what, number, _) in enumerate(self.happenings) if what in CHECKS and number]
        self.end = checks[-1] + 1 if checks else 0
        """Behind this many happenings everything is possible."""
        self._most = _most_needed(self.happenings[: self.end])
        self._known: dict[tuple[int, Coins], float] = {}

    def chance(self, at: int, coins: Coins) -> float:
        """Return how likely everything from a happening on was, with that gold, if losses were blind."""
        if at >= self.end:
            return 1.0
        one, two, three = (PLENTY if n >= most else n for n, most in zip(coins, self._most[at], strict=True))
        key = at, (one, two, three)
        if key not in self._known:
            self._known[key] = sum(weight for _, weight in self.ways(*key))
        return self._known[key]

    def ways(self, at: int, coins: Coins) -> list[tuple[int, float]]:
        """Return of what value the card of a happening can have been, 0 for no gold, with the chance of all that."""
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
    """Return before each happening how much gold of each value is enough, whatever of it is lost."""
    most, found = (0, 0, 0), list[Coins]()
    for what, number, _ in reversed(happenings):
        match what:
            case "lost":
                most = most[0] + 1, most[1] + 1, most[2] + 1
            case "coin":
                most = less(most, number, -1)
            case "short" if number:
                most = PLENTY, PLENTY, PLENTY  # there, more is worse
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
    """Return the coins without so many of a value; 0 is no coin."""
    if not value or coins[value - 1] == PLENTY:
        return coins
    one, two, three = put(coins, value - 1, coins[value - 1] - count)
    return one, two, three


class Purses:
    """How the hidden gold can lie in several purses at once, each way as likely as it has deals."""

    def __init__(self, purses: tuple[Purse, ...], coins: Coins, others: int) -> None:
        """Take the purses, and how much hidden gold and how many hidden cards without gold there are for them."""
        self.fates = [Fate(purse) for purse in purses]
        self._coins, self._others = coins, others
        self._shares = [_shares(fate) for fate in self.fates]
        self._known: dict[tuple[int, Coins, int], list[tuple[Coins, float]]] = {}

    def dealt(self, draw: Draw) -> list[Coins]:
        """Return the gold that each purse was dealt face down."""
        coins, others, found = self._coins, self._others, list[Coins]()
        for number, fate in enumerate(self.fates):
            share = weighted(draw, self._ways(number, coins, others))
            coins, others = _rest(coins, share), others - fate.kept + sum(share)
            found.append(share)
        return found

    def _ways(self, number: int, coins: Coins, others: int) -> list[tuple[Coins, float]]:
        """Return what a purse can have been dealt of what is left, with its weight."""
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
    """Return what a purse can have been dealt: in so many orders, each with the chance of what became of it."""
    found = list[tuple[Coins, float]]()
    for one, two, three in product(range(fate.kept + 1), repeat=3):
        if (gold := one + two + three) <= fate.kept and (chance := fate.chance(0, (one, two, three))):
            orders = comb(fate.kept, gold) * comb(gold, one) * comb(gold - one, two)
            found.append(((one, two, three), orders * chance))
    return found
