"""Round robin: everybody meets everybody, at tables of any size, in as few rounds as are known."""

from __future__ import annotations

from ftk_core.league.formats.rotation import next_of
from ftk_core.league.formats.rotation import planned as rounds_planned
from ftk_core.league.progress import Progress, Step

grouped = False
counted = False
takes_late = False
foreseen = True
fixed = "everybody meets everybody in a round robin"


def next_round(progress: Progress) -> Step:
    """Return the next round of the schedule that was drawn when the stage began."""
    return next_of(progress)


def planned(progress: Progress) -> int:
    """Return the total number of rounds."""
    return rounds_planned(progress)
