"""Groups format: parallel round robins. Bots rank first by their position in their group, then by points."""

from __future__ import annotations

from collections.abc import Mapping

from ftk_core.league.formats import LeagueFormat
from ftk_core.league.formats.group_round_robin_schedule import deal_groups, next_rotation_round, planned_rotation_rounds
from ftk_core.league.stage_progress import StageProgress


def levels(progress: StageProgress) -> Mapping[int, int]:
    """Return each bot's level: 0 minus the number of bots that have more points in the same group."""
    # Only leagues before version 2 of the league rules rank by it. Newer ones rank by `LeagueFormat.ranked_groups`.
    points = progress.points
    return {
        entry: -sum(points[other] > points[entry] for other in group)
        for group in deal_groups(progress)
        for entry in group
    }


FORMAT = LeagueFormat(
    next_round=next_rotation_round,
    planned=planned_rotation_rounds,
    min_entries=lambda terms: terms.groups * terms.least,
    levels=levels,
    ranked_groups=deal_groups,
    groups_title="Groups",
    foreseen=True,
    fixed="everybody of a group meets everybody else of it",
)
