"""How a table of a round ended, all its matches together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from ftk_core.league.facts import RoundPaired
from ftk_core.league.plans import TablePlan
from ftk_core.league.progress import Progress
from ftk_core.league.tallies import gains
from ftk_core.rng import Chance


def ranked(progress: Progress, paired: RoundPaired, table: TablePlan) -> list[int]:
    """Return the entries of a table, the best first: by the points of its matches, their scores, and then by lot.

    Whoever withdrew before the round was closed comes behind all others. The lot follows from the round's link. By
    rules 0 the seed takes the place of the lot, and whoever withdrew at any time comes last.
    """
    points, scores = defaultdict[int, Fraction](Fraction), defaultdict[int, int](int)
    for result in progress.results:
        if (result.round, result.table) == (paired.round, table.number):
            for entry, gain, score in zip(
                result.seating, gains(progress.terms.worth, result.places), result.scores, strict=True
            ):
                points[entry] += gain.points
                scores[entry] += score
    if progress.rules:
        order: Sequence[int] = Chance(bytes.fromhex(paired.link)).at("ties", table.number).shuffled(table.seating)
        gone = {entry for entry, closed in progress.gone.items() if closed < paired.round}
    else:
        order, gone = progress.seeds, set(progress.seeds) - progress.present - progress.excused
    lots = {entry: lot for lot, entry in enumerate(order)}
    return sorted(table.seating, key=lambda e: (e in gone, -points[e], -scores[e], lots[e]))
