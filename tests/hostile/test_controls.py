"""Every attempt succeeds where there is no cage, so that a cage which holds has held something."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.hostile.control import bites, controlled, play_control
from tests.support.hostile.suite import GROUPS, OUTCOMES, Hostile, hostile_bots

CONTROLS = {"breach", "needs root", "if the kernel has it", "needs root, if the kernel has it"}
WITHOUT_CONTROL = 3
"""So many attempts at most may go unproven on an ordinary machine."""


@pytest.mark.parametrize("bot", controlled(), ids=str)
def test_without_a_cage_the_attempt_succeeds(bot: Hostile, tmp_path: Path, hints: dict[str, Any]) -> None:
    played = play_control(bot, tmp_path, hints)
    assert bites(bot, played), played


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_has_bots(group: str) -> None:
    bots = [bot for bot in hostile_bots() if bot.group == group]
    assert len(bots) >= (20 if group == "dialogue" else 4)


def test_every_bot_says_what_is_expected_and_how_it_is_shown_to_bite() -> None:
    bots = hostile_bots()
    assert len(bots) >= 85
    assert all(bot.expects <= OUTCOMES for bot in bots)
    assert {bot.control for bot in bots if not bot.control.startswith("none, ")} <= CONTROLS


def test_few_attempts_have_no_control() -> None:
    without = [str(bot) for bot in hostile_bots() if bot.attempts and bot.control.startswith("none")]
    assert len(without) <= WITHOUT_CONTROL, without


def test_a_bot_that_writes_is_swept_up(tmp_path: Path, hints: dict[str, Any]) -> None:
    bot = next(bot for bot in hostile_bots() if bot.name == "write_tmp")
    assert play_control(bot, tmp_path, hints).outcome == "BREACH"
    assert [path for path in tmp_path.iterdir() if path.name != "bot.py"] == []
