"""Swiss pairing for tables of any size: those of equal points meet, whom they have not met."""

from __future__ import annotations

from ftk_core.league.formats.field import field_of
from ftk_core.league.formats.seating import numbered, rest
from ftk_core.league.pairing.field import NoTables
from ftk_core.league.progress import Over, Progress, Round, Step, Wait

grouped = False
counted = True
takes_late = True
foreseen = False
fixed = ""


def next_round(progress: Progress) -> Step:
    """Return the next round, until all that were announced are played."""
    if len(progress.drawn) >= planned(progress):
        return Over()
    from ftk_core.league.pairing.drawing import pair  # who only folds and verifies a league need not have numpy

    try:
        paired = pair(field_of(progress), progress.chance.at("pairing", progress.number))
    except NoTables as error:
        return Wait(str(error))
    return Round(tables=numbered(paired.tables), rests=rest(progress, paired.rests), weighed=paired.weighed)


def planned(progress: Progress) -> int:
    """Return how many rounds there are in all."""
    return progress.rounds
