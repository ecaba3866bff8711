"""Groups: parallel round robins. Entries rank first by their position in the group, then by points."""

from __future__ import annotations

from collections.abc import Mapping

from ftk_core.league.formats.rotation import next_of, ranks
from ftk_core.league.formats.rotation import planned as rounds_planned
from ftk_core.league.plans import Stage
from ftk_core.league.progress import Progress, Step

grouped = True
counted = False
takes_late = False
foreseen = True
fixed = "everybody of a group meets everybody else of it"


def next_round(progress: Progress) -> Step:
    """Return the next round of all groups."""
    return next_of(progress)


def planned(progress: Progress) -> int:
    """Return the total number of rounds."""
    return rounds_planned(progress)


def fewest(terms: Stage) -> int:
    """Return the minimum number of entries: a table for each group."""
    return terms.groups * terms.least


def levels(progress: Progress) -> Mapping[int, int]:
    """Return the position of each entry in its group, so that the winners of groups rank first overall."""
    return {entry: -behind for entry, behind in ranks(progress)}
