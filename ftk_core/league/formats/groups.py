"""Groups format: parallel round robins. Entries rank first by their position in their group, then by points."""

from __future__ import annotations

from collections.abc import Mapping

from ftk_core.league.formats import LeagueFormat
from ftk_core.league.formats.group_schedule import group_ranks, next_rotation_round, planned_rotation_rounds
from ftk_core.league.stage_progress import StageProgress


def levels(progress: StageProgress) -> Mapping[int, int]:
    """Return entry -> level by its position in its group (0 for first, then -1, ...); a higher level ranks first."""
    return {entry: -behind for entry, behind in group_ranks(progress)}


FORMAT = LeagueFormat(
    next_round=next_rotation_round,
    planned=planned_rotation_rounds,
    min_entries=lambda terms: terms.groups * terms.least,
    levels=levels,
    groups_title="Groups",
    foreseen=True,
    fixed="everybody of a group meets everybody else of it",
)
