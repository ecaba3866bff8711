"""Blocks of matches for comparing two versions of a bot: the same deal and opponents for each, from every seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice

import msgspec

from ftk_core.kit.arena import Fixture, PlayedMatch, Series, turned
from ftk_core.kit.sequential import Claim, Evidence, add, conclude
from ftk_core.league.tallies import share
from ftk_core.rng import Chance, seed_of

REFERENCE, CANDIDATE, FIRST = 0, 1, 2
"""Positions in a comparison's series: the two versions, and the first of their opponents."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A comparison of two versions at tables of one size."""

    series: Series
    """Its bots are the reference, the candidate, and then the field (the opponents)."""
    seats: int
    claim: Claim
    most: int
    """Maximum number of blocks; after these the comparison stays undecided."""
    head_to_head: bool = False
    """True to play the two versions against each other at tables of two, without a field."""

    @property
    def matches(self) -> int:
        """Number of matches in a block."""
        return 2 if self.head_to_head else 2 * self.seats


def opponents(comparison: Comparison, block: int) -> tuple[int, ...]:
    """Return the opponents at a block's table, drawn from the field.

    A bot is drawn twice only after every bot of the field has been drawn.
    """
    series, wanted = comparison.series, comparison.seats - 1
    field = range(FIRST, len(series.bots))
    drawn = Chance(seed_of("blocks", series.game, series.seed)).at("opponents", block).shuffled(field)
    return tuple(drawn[place % len(drawn)] for place in range(wanted))


def block_of(comparison: Comparison, block: int) -> tuple[Fixture, ...]:
    """Return the matches of a block: the candidate in each seat, then the reference in each seat.

    The two matches of a seat share their label as well as their deal, so that opponents who seed their randomness
    from it have the same luck against both versions. Head to head, a block is a pair: one deal, with the seats
    swapped.
    """
    if comparison.head_to_head:
        return tuple(
            Fixture(turned((CANDIDATE, REFERENCE), seat), block, f"{block}/{seat}") for seat in range(comparison.seats)
        )
    others = opponents(comparison, block)
    return tuple(
        Fixture(turned((version, *others), seat), block, f"{block}/{seat}")
        for version in (CANDIDATE, REFERENCE)
        for seat in range(comparison.seats)
    )


def fixtures(comparison: Comparison) -> Iterator[Fixture]:
    """Yield the matches of all blocks, block by block."""
    for block in range(comparison.most):
        yield from block_of(comparison, block)


def value_of(matches: Sequence[PlayedMatch]) -> float:
    """Return a block's value: the candidate's mean share of opponents left behind, minus the reference's."""
    shares = {
        version: [share(match.places, match.seating.index(version)) for match in matches if version in match.seating]
        for version in (CANDIDATE, REFERENCE)
    }
    means = {version: sum(some, Fraction(0)) / len(some) for version, some in shares.items()}
    return float(means[CANDIDATE] - means[REFERENCE])


def weighed(comparison: Comparison, matches: Iterable[PlayedMatch]) -> Iterator[Evidence]:
    """Yield the evidence after each block, in order, until the claim is decided or the matches end."""
    evidence, left = Evidence(), iter(matches)
    for _ in range(comparison.most):
        block = list(islice(left, comparison.matches))
        if len(block) < comparison.matches:
            return
        evidence = add(evidence, value_of(block))
        yield evidence
        if conclude(comparison.claim, evidence) != "open":
            return
