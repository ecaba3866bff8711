"""How near a reckoned fleet is to a real one: the short form of what `make capacity` checks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from django.conf import settings

from ftk_core.scribe import PAGE_SECONDS
from tests.support.bench.windows import Figure
from tests.support.capacity import trial
from tests.support.capacity.arena import opened, play
from tests.support.capacity.costs import WARM, Locks
from tests.support.capacity.scenario import Rules

SMALL = replace(trial.REAL, bots=16, rounds=2)
UNMEASURED = Locks(entries=SMALL.bots, record=0.0, more=0.0, turn=0.0)
"""What a league's lock takes is a part of the pause between two rounds here."""


def test_a_league_with_a_killed_worker_lasts_as_long_as_the_same_one_reckoned(
    figures: list[Figure], tmp_path: Path
) -> None:
    lease = int(settings.LEASE_SECONDS)
    with opened(tmp_path / "two", 2, lease) as arena:
        play(arena, WARM)
        play(arena, calm := replace(SMALL, slug="calm"))
        times = trial.times_of(trial.played(arena, calm.slug), UNMEASURED)
    with opened(tmp_path / "four", trial.WORKERS, lease) as arena:
        play(arena, WARM)
        real, kill = trial.happened(arena, SMALL)
    rules = Rules(
        lease=lease,
        sweep=settings.SWEEP_SECONDS,
        page=PAGE_SECONDS,
        attempts=settings.ATTEMPTS,
        away=settings.CELERY_WORKER_LOST_WAIT,
    )
    ours = trial.reckoned(times, rules, SMALL, trial.WORKERS, kill)
    for name in trial.agree(ours, real):
        mine, its = getattr(ours, name), getattr(real, name)
        figures.append(
            Figure(f"{name}, a league reckoned", mine, its, mine / its, "the same league, real", "0.8 to 1.2")
        )
    assert real.ended == ours.ended
