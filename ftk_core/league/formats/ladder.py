"""Ladder format: after each round, the first of a table moves up and the last moves down.

If there are too few seats, the bots with the fewest byes so far get a bye.
"""
# Among bots with equally many byes, the lowest on the ladder get one first.

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

from ftk_core.i18n import Message
from ftk_core.league.formats import LeagueFormat
from ftk_core.league.formats.ranking_within_table import rank_table
from ftk_core.league.formats.round_tables_and_byes import forbidden_pair_among, make_rests, number_tables
from ftk_core.league.league_facts import RoundPaired
from ftk_core.league.pairing.bye_selection import table_sizes
from ftk_core.league.pairing.pairing_input_and_output import ImpossiblePairingError
from ftk_core.league.scoring.entrant_stage_totals import resting_entries
from ftk_core.league.stage_progress import (
    CannotPairDecision,
    NextRoundDecision,
    NextStep,
    StageFinishedDecision,
    StageProgress,
)


def next_round(progress: StageProgress) -> NextStep:
    """Return a round in which neighbours on the ladder share a table, or the end of the stage."""
    if len(progress.drawn) >= progress.rounds:
        return StageFinishedDecision()
    order = [entry for entry in _current_order(progress) if entry in progress.present]
    try:
        rests, sizes = table_sizes(len(order), progress.terms.seats, progress.terms.least)
    except ImpossiblePairingError as error:
        return CannotPairDecision(error.args[0])
    resting = _resting(progress, order, rests)
    order = [entry for entry in order if entry not in resting]
    draw, seatings, after = progress.chance.at("seats", progress.number), [], 0
    for size in sizes:
        seatings.append(draw.shuffled(order[after : after + size]))
        after += size
    if meeting := forbidden_pair_among(progress, seatings):
        one, other = sorted(meeting)
        return CannotPairDecision(
            Message(
                "entries %(one)s and %(other)s are of one division, which is forbidden; excuse one of them",
                one=one,
                other=other,
            )
        )
    return NextRoundDecision(tables=number_tables(seatings), rests=make_rests(progress, resting))


def _resting(progress: StageProgress, order: Sequence[int], count: int) -> list[int]:
    """Return the bots with a bye in the next round, in ladder order."""
    if not progress.rules:
        return list(order[len(order) - count :])
    before = Counter(one.entry for paired in progress.drawn for one in paired.rests if one.why == "odd")
    rung = {entry: number for number, entry in enumerate(order)}
    resting = sorted(order, key=lambda entry: (before[entry], -rung[entry]))[:count]
    return [entry for entry in order if entry in resting]


def levels(progress: StageProgress) -> Mapping[int, int]:
    """Return each bot's level: 0 at the top of the ladder, then -1, -2 and so on.

    Bots without a table or bye in the last closed round are behind those that had one.
    """
    # They keep their positions for the pairing, in case they come back. Before version 2 of the league rules, they keep
    # them in the standings, too.
    order = _current_order(progress)
    if progress.rules >= 2 and progress.closed:
        last = progress.drawn[progress.closed - 1]
        took_part = {entry for table in last.tables for entry in table.seating}.union(resting_entries(last))
        order.sort(key=lambda entry: entry not in took_part)
    return {entry: -rung for rung, entry in enumerate(order)}


def _current_order(progress: StageProgress) -> list[int]:
    """Return all bots from the top of the ladder down, after the rounds closed so far."""
    order = list(progress.seeds)
    for paired in progress.drawn[: progress.closed]:
        order = _order_after(progress, paired, order)
    return order


def _order_after(progress: StageProgress, paired: RoundPaired, order: Sequence[int]) -> list[int]:
    """Return the bots from the top of the ladder down after a round, given their `order` before it."""
    # Bots that sat at no table keep their positions.
    tables = [rank_table(progress, paired, table) for table in paired.tables]
    for upper, lower in itertools.pairwise(tables):
        upper[-1], lower[0] = lower[0], upper[-1]
    seated = iter([entry for table in tables for entry in table])
    sat = {entry for table in tables for entry in table}
    return [next(seated) if entry in sat else entry for entry in order]


FORMAT = LeagueFormat(
    next_round=next_round,
    levels=levels,
    counted=True,
    takes_late=True,
    fixed="in a ladder, results decide the divisions",
)
