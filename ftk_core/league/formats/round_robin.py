"""Round-robin format: everybody meets everybody.

`ftk_core.league.pairing.round_robin_schedules` finds a schedule with few rounds.
"""

from __future__ import annotations

from ftk_core.league.formats import LeagueFormat
from ftk_core.league.formats.group_round_robin_schedule import next_rotation_round, planned_rotation_rounds

FORMAT = LeagueFormat(
    next_round=next_rotation_round,
    planned=planned_rotation_rounds,
    foreseen=True,
    fixed="everybody meets everybody in a round robin",
)
