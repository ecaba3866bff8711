"""Ladder: tables are divisions; after a round the first of a table moves up and the last moves down.

Entries without a place at a table rest in turn: of those with the fewest rests, the lowest.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

from ftk_core.league.facts import RoundPaired
from ftk_core.league.formats.outcome import ranked
from ftk_core.league.formats.seating import barred_among, numbered, rest
from ftk_core.league.pairing.field import NoTables
from ftk_core.league.pairing.rests import sizes_of
from ftk_core.league.progress import Over, Progress, Round, Step, Wait

grouped = False
counted = True
takes_late = True
foreseen = False
fixed = "the divisions of a ladder are earned"


def next_round(progress: Progress) -> Step:
    """Return the current divisions, each as a table."""
    if len(progress.drawn) >= planned(progress):
        return Over()
    order = [entry for entry in _order(progress) if entry in progress.present]
    try:
        rests, sizes = sizes_of(len(order), progress.terms.seats, progress.terms.least)
    except NoTables as error:
        return Wait(str(error))
    resting = _resting(progress, order, rests)
    order = [entry for entry in order if entry not in resting]
    draw, seatings, after = progress.chance.at("seats", progress.number), [], 0
    for size in sizes:
        seatings.append(draw.shuffled(order[after : after + size]))
        after += size
    if meeting := barred_among(progress, seatings):
        one, other = sorted(meeting)
        return Wait(f"entries {one} and {other} are of one division, which is forbidden; excuse one of them")
    return Round(tables=numbered(seatings), rests=rest(progress, resting))


def _resting(progress: Progress, order: Sequence[int], count: int) -> list[int]:
    """Return the entries that rest, from the top of the ladder down."""
    if not progress.rules:
        return list(order[len(order) - count :])
    before = Counter(one.entry for paired in progress.drawn for one in paired.rests if one.why == "odd")
    rung = {entry: number for number, entry in enumerate(order)}
    resting = sorted(order, key=lambda entry: (before[entry], -rung[entry]))[:count]
    return [entry for entry in order if entry in resting]


def planned(progress: Progress) -> int:
    """Return the total number of rounds."""
    return progress.rounds


def levels(progress: Progress) -> Mapping[int, int]:
    """Return the rung of each entry: the first of the first division has the highest."""
    return {entry: -rung for rung, entry in enumerate(_order(progress))}


def _order(progress: Progress) -> list[int]:
    """Return all entries from the top of the ladder down."""
    order = list(progress.seeds)
    for paired in progress.drawn[: progress.closed]:
        order = _moved(progress, paired, order)
    return order


def _moved(progress: Progress, paired: RoundPaired, order: Sequence[int]) -> list[int]:
    """Return the order after a round: its players exchange their rungs, all others keep theirs."""
    tables = [ranked(progress, paired, table) for table in paired.tables]
    for upper, lower in itertools.pairwise(tables):
        upper[-1], lower[0] = lower[0], upper[-1]
    seated = iter([entry for table in tables for entry in table])
    sat = {entry for table in tables for entry in table}
    return [next(seated) if entry in sat else entry for entry in order]
