"""Continuous ladders with a simulated clock, their bouts played by real bots."""

from __future__ import annotations

from ftk_core.log_entries import TimeControl
from people.staff_audit_trail import make_shell_actor
from replays.tasks import play_next
from tournaments.continuous_ladder import services as continuous_services
from tournaments.continuous_ladder.continuous_ladder_settings import ContinuousLadderSettings
from tournaments.ladders import ladder_court_ratings

STAFF = make_shell_actor("root", "there is room")
CRASHING = "raise SystemExit('no idea how to play')"
NOON = 1_800_000_000
SILENT = """
from ftk_core.kit.bot import run
run(lambda ask: 0)
"""


def start_continuous_ladder(rate: int = 60, *sizes: int) -> None:
    continuous_services.set_ladder(
        STAFF, "pig", ContinuousLadderSettings(rate=rate, sizes=sizes or (2,), clock=TimeControl(500, 1000)), NOON
    )


def play_ladder_matches(bouts: int, at: int = NOON) -> None:
    """Call, play and record this many bouts, one minute each."""
    for number in range(bouts):
        continuous_services.sweep(at + 60 * number)
        while play_next("ladder"):
            pass
    continuous_services.sweep(at + 60 * bouts - 1)
    ladder_court_ratings.refit("pig")
