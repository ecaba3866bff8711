"""Swiss system for tables of any size: entries with equal points meet opponents they have not met."""

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
    """Return the next round until the announced number is reached."""
    if len(progress.drawn) >= planned(progress):
        return Over()
    from ftk_core.league.pairing.drawing import pair  # folding and verifying must work without numpy

    try:
        paired = pair(field_of(progress), progress.chance.at("pairing", progress.number))
    except NoTables as error:
        return Wait(str(error))
    return Round(tables=numbered(paired.tables), rests=rest(progress, paired.rests), weighed=paired.weighed)


def planned(progress: Progress) -> int:
    """Return the total number of rounds."""
    return progress.rounds
