"""Matches that compare two versions of a bot under equal conditions.

They are played in blocks. In a block, each version plays from every seat, with the same random seed and opponents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice

import msgspec

from ftk_core.kit.match_series.local_matches import MatchSeries, PlayedMatch, ScheduledMatch
from ftk_core.kit.match_series.sequential_testing import (
    ComparedHypotheses,
    SameSeedBlockStatistics,
    add_block,
    conclude,
)
from ftk_core.league.match_seating_and_random_seeds import rotate_seating
from ftk_core.league.scoring.entrant_stage_totals import share_left_behind
from ftk_core.random_streams import MatchRandomness, seed_of

REFERENCE, CANDIDATE, FIRST = 0, 1, 2
"""Indices into a comparison's bots: the old version, the new version, and the first of their opponents."""


class VersionComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Settings for comparing two versions of a bot."""

    series: MatchSeries
    """Series whose bots are the reference (old version), the candidate (new version), and then the opponents."""
    seats: int
    claim: ComparedHypotheses
    most: int
    """Maximum number of blocks, after which the comparison stays undecided."""
    head_to_head: bool = False
    """True to play the two versions against each other at tables of two, without other opponents."""

    @property
    def matches(self) -> int:
        """Number of matches in a block."""
        return 2 if self.head_to_head else 2 * self.seats


def draw_opponents(comparison: VersionComparison, block: int) -> tuple[int, ...]:
    """Draw the bots that both versions meet in a block, as indices into `MatchSeries.bots`."""
    # If there are more seats than opponents, some opponents get several seats.
    series, opponent_count = comparison.series, comparison.seats - 1
    field = range(FIRST, len(series.bots))
    drawn = MatchRandomness(seed_of("blocks", series.game, series.seed)).at("opponents", block).shuffled(field)
    return tuple(drawn[place % len(drawn)] for place in range(opponent_count))


def block_of(comparison: VersionComparison, block: int) -> tuple[ScheduledMatch, ...]:
    """Return the matches of a block: all have the same random seed, and each version plays every seat once."""
    # The two matches for a seat have the same label. Opponents that seed their own random numbers with it have the same
    # luck against both versions. If the versions play each other, a block is two matches with the seats swapped.
    if comparison.head_to_head:
        return tuple(
            ScheduledMatch(rotate_seating((CANDIDATE, REFERENCE), seat), block, f"{block}/{seat}")
            for seat in range(comparison.seats)
        )
    others = draw_opponents(comparison, block)
    return tuple(
        ScheduledMatch(rotate_seating((version, *others), seat), block, f"{block}/{seat}")
        for version in (CANDIDATE, REFERENCE)
        for seat in range(comparison.seats)
    )


def list_fixtures(comparison: VersionComparison) -> Iterator[ScheduledMatch]:
    """Yield all matches that compare two versions of a bot, block by block (a block has one random seed)."""
    for block in range(comparison.most):
        yield from block_of(comparison, block)


def block_value(matches: Sequence[PlayedMatch]) -> float:
    """Return the mean share of opponents that the new version beats, minus the mean share of the old version."""
    shares = {
        version: [
            share_left_behind(match.places, match.seating.index(version))
            for match in matches
            if version in match.seating
        ]
        for version in (CANDIDATE, REFERENCE)
    }
    means = {version: sum(some, Fraction(0)) / len(some) for version, some in shares.items()}
    return float(means[CANDIDATE] - means[REFERENCE])


def accumulate_block_statistics(
    comparison: VersionComparison, matches: Iterable[PlayedMatch]
) -> Iterator[SameSeedBlockStatistics]:
    """Yield the statistics after each block of matches, until the sequential test reaches a conclusion."""
    evidence, left = SameSeedBlockStatistics(), iter(matches)
    for _ in range(comparison.most):
        block = list(islice(left, comparison.matches))
        if len(block) < comparison.matches:
            return
        evidence = add_block(evidence, block_value(block))
        yield evidence
        if conclude(comparison.claim, evidence) != "open":
            return
