"""Hostile bots in every sandbox backend: each is refused or found at fault, and leaves nothing behind.

These tests are never skipped: a machine without a sandbox fails them.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.hostile.harness import (
    file_contents,
    list_backends_and_bots,
    play,
    shorten_timeouts,
    spawn_in_sandbox,
    write_hostile_bot,
)
from tests.support.hostile.leaks import LEAKS
from tests.support.hostile.suite import HostileBot
from tests.support.hostile.targets import find_marked_files, list_descendants
from tests.support.waiting import wait_for


@pytest.mark.parametrize(("backend", "bot"), list_backends_and_bots(), ids=str)
def test_the_sandbox_stops_the_attack_of_each_hostile_bot(
    backend: str, bot: HostileBot, tmp_path: Path, hints: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten_timeouts(monkeypatch, bot)
    told = write_hostile_bot(bot, tmp_path, hints)
    stored, before = file_contents(tmp_path), list_descendants()

    played = play(bot, tmp_path, partial(spawn_in_sandbox, backend))

    expected = {"BREACH"} if str(bot) in LEAKS.get(backend, ()) else bot.expects
    assert played.outcome in expected, played
    if played.faults:
        assert bot.detail in str(played.faults[0]), played
    wait_for(lambda: not list_descendants().keys() - before.keys(), f"no process of {bot} remains", 5)
    assert find_marked_files(told["mark"], tmp_path) == []
    assert file_contents(tmp_path) == stored
