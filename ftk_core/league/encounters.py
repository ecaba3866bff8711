"""Head to head: who of some equals stands ahead by what they made of each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

Encounters = Mapping[int, Mapping[int, Fraction]]
"""Entry -> opponent -> the share of their matches that it won."""


def ahead(encounters: Encounters, equals: Sequence[int]) -> dict[int, int]:
    """Return how many of its equals each entry stands ahead of, by their matches against each other alone.

    Where all have met, the sum of their shares decides, and among those that it leaves equal, of whom there are fewer,
    the same again. Where some have not, whoever is first however these matches would have ended is first, and of the
    others the same is asked again; of the rest nothing can be said (FIDE Handbook C.07, article 6).
    """
    groups, left = list(_ranked(encounters, equals)), len(equals)
    value: dict[int, int] = {}
    for group in groups:
        left -= len(group)
        value.update(dict.fromkeys(group, left))
    return value


def _ranked(encounters: Encounters, equals: Sequence[int]) -> Iterator[list[int]]:
    """Yield groups that cannot be told apart, the first ahead of all others."""
    rest = list(equals)
    while len(rest) > 1:
        least, most = _bounds(encounters, rest)
        if least == most:
            yield from _all_met(encounters, rest, least)
            return
        first, second = sorted(rest, key=lambda entry: -most[entry])[:2]
        if least[first] <= most[second]:
            break
        yield [first]
        rest.remove(first)
    if rest:
        yield rest


def _all_met(encounters: Encounters, rest: Sequence[int], sums: Mapping[int, Fraction]) -> Iterator[list[int]]:
    for _, alike in groupby(sorted(rest, key=lambda entry: (-sums[entry], entry)), key=lambda entry: sums[entry]):
        group = list(alike)
        if len(group) == len(rest):
            yield group
        else:
            yield from _ranked(encounters, group)


def _bounds(encounters: Encounters, equals: Sequence[int]) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """Return what each has made of the others, and what it could have made, had it won against all it did not meet."""
    here, least, most = set(equals), dict[int, Fraction](), dict[int, Fraction]()
    for entry in equals:
        shares = [share for other, share in encounters.get(entry, {}).items() if other in here]
        least[entry] = sum(shares, Fraction(0))
        most[entry] = least[entry] + len(equals) - 1 - len(shares)
    return least, most
