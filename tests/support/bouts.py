"""Continuous ladders at a time that a test says, their bouts played by real bots."""

from __future__ import annotations

from people.acts_of_staff import at_the_shell
from replays.tasks import play_next
from tournaments import continuous, court_ratings
from tournaments.bout_terms import BoutTerms

STAFF = at_the_shell("root", "there is room")
CRASHING = "raise SystemExit('no idea how to play')"
NOON = 1_800_000_000
SILENT = """
from ftk_core.kit.bot import run
run(lambda ask: 0)
"""


def begin(rate: int = 60, *sizes: int) -> None:
    continuous.set_ladder(STAFF, "pig", BoutTerms(rate=rate, sizes=sizes or (2,), move_ms=500, bank_ms=1000), NOON)


def play_on(bouts: int, at: int = NOON) -> None:
    """Let so many bouts be called, played and recorded, a minute each."""
    for number in range(bouts):
        continuous.sweep(at + 60 * number)
        while play_next("ladder"):
            pass
    continuous.sweep(at - 1)
    court_ratings.refit("pig")
