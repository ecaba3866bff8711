"""`make capacity`: measure costs here and now, reckon fleets from them, and write docs/scale.md.

Ends with 1 where the simulation and a real league differ by more than a fifth; the page is written either way.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bots.cage.inside.nobody import step_down

if os.getuid() == 0:  # whoever starts bots must not be root; before anything else, as it needs to have one thread
    step_down()
os.environ["DJANGO_SETTINGS_MODULE"] = "deploy.settings"

from django.conf import settings

from ftk_core.scribe import PAGE_SECONDS
from tests.support.capacity import costs, reading, thousand, trial, watching
from tests.support.capacity.arena import opened, play
from tests.support.capacity.page import Measured
from tests.support.capacity.scenario import Rules
from tests.support.capacity.sizing import Assumed
from tests.support.capacity.written import written

PAGE = Path("docs/scale.md")
ENTRIES = 64


def say(line: str) -> None:
    """Say how far it is."""
    sys.stdout.write(f"{time.strftime('%H:%M:%S')} {line}\n")
    sys.stdout.flush()


def rules() -> Rules:
    """Return what the arena's own settings say, as an arena has them that is told nothing."""
    return Rules(
        lease=float(settings.LEASE_SECONDS),
        sweep=float(settings.SWEEP_SECONDS),
        page=PAGE_SECONDS,
        attempts=settings.ATTEMPTS,
        away=float(settings.CELERY_WORKER_LOST_WAIT),
    )


def spending(folder: Path, lease: int) -> tuple[dict[str, Any], list[trial.Played], list[trial.Played]]:
    """Return what everything costs, and two leagues in which nobody died: one at a pace, one of the larger game."""
    with opened(folder, 2, lease) as arena:
        say("two workers: what one PostgreSQL can do, and what the arena spends at rest")
        play(arena, costs.WARM)
        floor, rest = costs.measured_floor(arena), costs.idle(arena)
        matches = []
        for shape, short in zip(costs.GAMES, costs.HEARD, strict=True):
            say(f"what a match of {shape.game} costs")
            matches.append(costs.cost(arena, shape, short, rest))
        say("how long everything takes, in a league in which nobody dies")
        calm, large = trial.calibrated(arena), trial.played(arena, matches[-1][0].league)
        say("what watching costs")
        watch = watching.watched(arena, rest)
        say("what reading costs")
        reader = reading.read(arena)
    say("what a match takes in the archive, what stays behind it, and for how long a league is locked")
    archived = costs.archived(folder, [cost.game for cost, _ in matches])
    whole = []
    for cost, window in matches:
        kept = costs.kept(folder, cost.game, cost.seats)
        whole.append((replace(cost, archived=archived[cost.game], kept=kept), window))
    locks = costs.locks(folder, ENTRIES)
    spent = {"matches": whole, "watch": watch, "reader": reader, "rest": rest, "floor": floor, "locks": locks}
    return spent, calm, large


def measured(folder: Path) -> Measured:
    """Measure everything, on arenas of its own in a folder, and reckon what depends on it."""
    law = rules()
    spent, calm, large = spending(folder / "two", int(law.lease))
    with opened(folder / "four", trial.WORKERS, int(law.lease)) as arena:
        say(f"a real league with {trial.WORKERS} workers, one of which is killed")
        play(arena, costs.WARM)
        real, kill = trial.happened(arena)
    say("the same league, and a thousand workers, reckoned")
    (cost, _), locks = spent["matches"][-1], spent["locks"]
    part = min(1.0, cost.processor / cost.seconds)
    house = max(0.0, cost.processors["house"] - locks.record)
    times = replace(trial.times_of(large, locks), processor=part, replay=1.0, house=house)
    return Measured(
        **spent,
        rules=law,
        thousand=thousand.thousand(times, law),
        real=real,
        reckoned=trial.reckoned(trial.times_of(calm, locks), law, trial.REAL, trial.WORKERS, kill),
        kill=kill,
        on=datetime.now(UTC).date().isoformat(),
        disturbed=max(window.disturbed for window in (spent["rest"], *(window for _, window in spent["matches"]))),
    )


def main() -> int:
    """Return 0 if what was reckoned is what happened, but for a fifth."""
    with tempfile.TemporaryDirectory(prefix="ftk-capacity-", ignore_cleanup_errors=True) as name:
        found = measured(Path(name))
    PAGE.write_text(written(found, Assumed()))
    apart = trial.agree(found.reckoned, found.real)
    for figure, part in apart.items():
        real, ours = (getattr(course, figure) for course in (found.real, found.reckoned))
        say(f"{figure}: real {real:.3f}, reckoned {ours:.3f}, {part:.1%} apart")
    say(f"{PAGE} is written")
    return 0 if max(apart.values()) <= trial.AGREE and found.real.ended == found.reckoned.ended else 1


if __name__ == "__main__":
    sys.exit(main())
