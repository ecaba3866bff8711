"""Ranking of the bots at one table of a league round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from ftk_core.league.event_fields import TableSeating
from ftk_core.league.league_facts import RoundPaired
from ftk_core.league.scoring.entrant_stage_totals import seat_gains
from ftk_core.league.stage_progress import StageProgress
from ftk_core.random_streams import MatchRandomness


def rank_table(progress: StageProgress, paired: RoundPaired, table: TableSeating) -> list[int]:
    """Rank the bots of a table by points, then by game scores, then at random.

    Bots that withdrew before the end of the round come last.
    """
    # The random order follows from the round's link of the league's hash chain. Version 0 of the league rules uses the
    # seeds of the stage instead, and puts last also a bot that withdrew after the round.
    points, scores = defaultdict[int, Fraction](Fraction), defaultdict[int, int](int)
    for result in progress.results:
        if (result.round, result.table) == (paired.round, table.number):
            for entry, gain, score in zip(
                result.seating, seat_gains(progress.terms.worth, result.places), result.scores, strict=True
            ):
                points[entry] += gain.points
                scores[entry] += score
    if progress.rules:
        order: Sequence[int] = (
            MatchRandomness(bytes.fromhex(paired.link)).at("ties", table.number).shuffled(table.seating)
        )
        gone = {entry for entry, closed in progress.gone.items() if closed < paired.round}
    else:
        order, gone = progress.seeds, set(progress.seeds) - progress.present - progress.excused
    lots = {entry: lot for lot, entry in enumerate(order)}
    return sorted(table.seating, key=lambda e: (e in gone, -points[e], -scores[e], lots[e]))
