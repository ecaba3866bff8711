"""Every cage holds every hostile bot: refused or found at fault, with nothing left behind.

There is no skipping here: a machine without a cage fails.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.hostile.harness import contents, lose_patience, pairs, play, spawn, store
from tests.support.hostile.leaks import LEAKS
from tests.support.hostile.suite import Hostile
from tests.support.hostile.world import descendants, traces
from tests.support.waiting import wait_for


@pytest.mark.parametrize(("tier", "bot"), pairs(), ids=str)
def test_the_cage_holds(
    tier: str, bot: Hostile, tmp_path: Path, hints: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_patience(monkeypatch, bot)
    told = store(bot, tmp_path, hints)
    stored, before = contents(tmp_path), descendants()

    played = play(bot, tmp_path, partial(spawn, tier))

    expected = {"BREACH"} if str(bot) in LEAKS.get(tier, ()) else bot.expects
    assert played.outcome in expected, played
    if played.faults:
        assert bot.detail in str(played.faults[0]), played
    wait_for(lambda: not descendants().keys() - before.keys(), f"no process of {bot} remains", 5)
    assert traces(told["mark"], tmp_path) == []
    assert contents(tmp_path) == stored
