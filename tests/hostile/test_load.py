"""Overload: a bot is judged alike on an idle machine and on an overloaded one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.hostile.harness import play, shorten_timeouts, spawn_in_sandbox, write_hostile_bot
from tests.support.hostile.suite import HostileBot, list_hostile_bots
from tests.support.lengths import short_or_long
from tests.support.load import crowded_processor
from tests.support.machine import working_backends

HOGS = short_or_long(10, 40)
NAMES = short_or_long(
    ("burns", "sleeps", "sleeps_in_bits"), tuple(bot.name for bot in list_hostile_bots() if bot.group == "time")
)
TIMED = [bot for bot in list_hostile_bots() if bot.group == "time" and bot.name in NAMES]
WALL_MS = 500
"""Wall-clock limit of an answer, which a bot on an overloaded machine exceeds at once."""


@pytest.mark.nightly
@pytest.mark.parametrize("bot", TIMED, ids=str)
def test_a_busy_machine_does_not_change_the_outcome_of_a_hostile_bot(
    bot: HostileBot, tmp_path: Path, hints: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten_timeouts(monkeypatch, bot)
    monkeypatch.setattr("ftk_core.kit.protocol.process_player.WALL_MS", WALL_MS)
    verdicts = []
    for hogs in (0, HOGS):
        folder = tmp_path / str(hogs)
        folder.mkdir()
        write_hostile_bot(bot, folder, hints)
        with crowded_processor(hogs):
            played = play(bot, folder, partial(spawn_in_sandbox, working_backends()[0]))
        verdicts.append((played.outcome, [str(fault) for fault in played.faults]))
    assert verdicts[0] == verdicts[1]
