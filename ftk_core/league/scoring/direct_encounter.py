"""Direct encounter tie-break: bots with equal points are ordered by their matches against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

Encounters = Mapping[int, Mapping[int, Fraction]]
"""Bot -> opponent -> share (0 to 1) of their matches that the bot won; a tie counts half."""


def rank_by_encounters(encounters: Encounters, equals: Sequence[int]) -> dict[int, int]:
    """Rank tied bots by their matches with each other (FIDE Handbook C.07, article 6).

    Return a dict from each bot to the number of bots that rank below it.
    """
    # If all tied bots have met, their shares of wins rank them, and equal bots are compared once more among themselves.
    # If some have not met, a bot is first if no other could reach its score by winning all missing matches. It is
    # removed, and the rule is applied to the others. If no bot is sure to be first, the rest remain tied.
    groups, left = list(_inseparable_groups(encounters, equals)), len(equals)
    value: dict[int, int] = {}
    for group in groups:
        left -= len(group)
        value.update(dict.fromkeys(group, left))
    return value


def _inseparable_groups(encounters: Encounters, equals: Sequence[int]) -> Iterator[list[int]]:
    """Yield groups of bots, best group first. The bots of one group remain tied."""
    unranked = list(equals)
    while len(unranked) > 1:
        least, most = _bounds(encounters, unranked)
        if least == most:
            yield from _groups_if_all_met(encounters, unranked, least)
            return
        first, second = sorted(unranked, key=lambda entry: -most[entry])[:2]
        if least[first] <= most[second]:
            break
        yield [first]
        unranked.remove(first)
    if unranked:
        yield unranked


def _groups_if_all_met(
    encounters: Encounters, unranked: Sequence[int], sums: Mapping[int, Fraction]
) -> Iterator[list[int]]:
    for _, alike in groupby(sorted(unranked, key=lambda entry: (-sums[entry], entry)), key=lambda entry: sums[entry]):
        group = list(alike)
        if len(group) == len(unranked):
            yield group
        else:
            yield from _inseparable_groups(encounters, group)


def _bounds(encounters: Encounters, equals: Sequence[int]) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """Return the lowest and the highest possible score of each bot against the other tied bots."""
    # The highest adds a win against each opponent that the bot has not met.
    compared, least, most = set(equals), dict[int, Fraction](), dict[int, Fraction]()
    for entry in equals:
        shares = [share for other, share in encounters.get(entry, {}).items() if other in compared]
        least[entry] = sum(shares, Fraction(0))
        most[entry] = least[entry] + len(equals) - 1 - len(shares)
    return least, most
