"""Groups: round robins side by side; who has most points of their group stands before all who have not."""

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
    """Return how many rounds there will be in all."""
    return rounds_planned(progress)


def fewest(terms: Stage) -> int:
    """Return how many entries the groups need: a table for each."""
    return terms.groups * terms.least


def levels(progress: Progress) -> Mapping[int, int]:
    """Return where each entry stands in its group, so that those who are first in theirs come first in all."""
    return {entry: -behind for entry, behind in ranks(progress)}
