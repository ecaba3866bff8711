"""Direct encounter tie-break: order equal entries by their matches against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

Encounters = Mapping[int, Mapping[int, Fraction]]
"""Entry -> opponent -> share of their matches that it won."""


def ahead(encounters: Encounters, equals: Sequence[int]) -> dict[int, int]:
    """Return how many of its equals each entry is ahead of, by their matches against each other alone.

    If all have met, the sum of their shares decides, and entries that are still equal, being fewer, are compared again.
    If some have not met, an entry that is first whatever the missing results would be is first, and the same rule is
    applied to the others; the rest remain equal (FIDE Handbook C.07, article 6).
    """
    groups, left = list(_ranked(encounters, equals)), len(equals)
    value: dict[int, int] = {}
    for group in groups:
        left -= len(group)
        value.update(dict.fromkeys(group, left))
    return value


def _ranked(encounters: Encounters, equals: Sequence[int]) -> Iterator[list[int]]:
    """Yield groups of inseparable entries, the first ahead of all others."""
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
    """Return each entry's score against the others, and its maximum had it won all missing matches."""
    here, least, most = set(equals), dict[int, Fraction](), dict[int, Fraction]()
    for entry in equals:
        shares = [share for other, share in encounters.get(entry, {}).items() if other in here]
        least[entry] = sum(shares, Fraction(0))
        most[entry] = least[entry] + len(equals) - 1 - len(shares)
    return least, most
