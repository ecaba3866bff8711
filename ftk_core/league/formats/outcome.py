"""How a table of a round ended, all its matches together."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from ftk_core.league.facts import RoundPaired
from ftk_core.league.plans import TablePlan
from ftk_core.league.progress import Progress
from ftk_core.league.tallies import gains


def ranked(progress: Progress, paired: RoundPaired, table: TablePlan) -> list[int]:
    """Return the entries of a table, the best first: by the points of its matches, then by their scores, then by seed.

    Whoever withdrew comes behind all who are still there.
    """
    points, scores = defaultdict[int, Fraction](Fraction), defaultdict[int, int](int)
    for result in progress.results:
        if (result.round, result.table) == (paired.round, table.number):
            for entry, gain, score in zip(
                result.seating, gains(progress.terms.worth, result.places), result.scores, strict=True
            ):
                points[entry] += gain.points
                scores[entry] += score
    seeds = {entry: seed for seed, entry in enumerate(progress.seeds)}
    here = progress.present | progress.excused
    return sorted(table.seating, key=lambda e: (e not in here, -points[e], -scores[e], seeds[e]))
