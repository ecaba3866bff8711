"""Combined result of all matches of a table."""

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
    """Rank the entries of a table by points of its matches, their scores, and then by lot.

    Entries that withdrew before the round was closed come last. The lot follows from the round's link. Under rules 0
    the seed replaces the lot, and entries that withdrew at any time come last.
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
