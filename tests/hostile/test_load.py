"""A bot is judged alike on an idle machine and on one with far more work than processors."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.hostile.harness import lose_patience, play, spawn, store
from tests.support.hostile.suite import Hostile, hostile_bots
from tests.support.lengths import either
from tests.support.load import crowded_processor
from tests.support.machine import held_tiers

HOGS = either(10, 40)
NAMES = either(("burns", "sleeps", "sleeps_in_bits"), tuple(bot.name for bot in hostile_bots() if bot.group == "time"))
TIMED = [bot for bot in hostile_bots() if bot.group == "time" and bot.name in NAMES]
WALL_MS = 500
"""A backstop that a crowded machine exceeds at once."""


@pytest.mark.slow
@pytest.mark.parametrize("bot", TIMED, ids=str)
def test_a_crowded_machine_changes_no_verdict(
    bot: Hostile, tmp_path: Path, hints: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_patience(monkeypatch, bot)
    monkeypatch.setattr("ftk_core.kit.pipe.WALL_MS", WALL_MS)
    verdicts = []
    for hogs in (0, HOGS):
        folder = tmp_path / str(hogs)
        folder.mkdir()
        store(bot, folder, hints)
        with crowded_processor(hogs):
            played = play(bot, folder, partial(spawn, held_tiers()[0]))
        verdicts.append((played.outcome, [str(fault) for fault in played.faults]))
    assert verdicts[0] == verdicts[1]
