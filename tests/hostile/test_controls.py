"""Controls: every attack succeeds without a sandbox, so its failure is due to the sandbox."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.hostile.control import attack_succeeds, bots_with_control, play_control
from tests.support.hostile.suite import GROUPS, OUTCOMES, HostileBot, list_hostile_bots

CONTROLS = {"breach", "needs root", "if the kernel has it", "needs root, if the kernel has it"}
WITHOUT_CONTROL = 3
"""Maximum number of attacks without a control on an ordinary machine."""


@pytest.mark.parametrize("bot", bots_with_control(), ids=str)
def test_without_a_sandbox_each_attack_of_a_hostile_bot_succeeds(
    bot: HostileBot, tmp_path: Path, hints: dict[str, Any]
) -> None:
    played = play_control(bot, tmp_path, hints)
    assert attack_succeeds(bot, played), played


@pytest.mark.parametrize("group", GROUPS)
def test_every_attack_category_has_several_hostile_bots(group: str) -> None:
    bots = [bot for bot in list_hostile_bots() if bot.group == group]
    assert len(bots) >= (20 if group == "dialogue" else 4)


def test_every_hostile_bot_declares_its_expected_outcome_and_its_control_experiment() -> None:
    bots = list_hostile_bots()
    assert len(bots) >= 85
    assert all(bot.expects <= OUTCOMES for bot in bots)
    assert {bot.control for bot in bots if not bot.control.startswith("none, ")} <= CONTROLS


def test_few_attack_tests_lack_a_control_experiment() -> None:
    without = [str(bot) for bot in list_hostile_bots() if bot.attempts and bot.control.startswith("none")]
    assert len(without) <= WITHOUT_CONTROL, without


def test_files_written_by_an_attack_that_runs_without_the_sandbox_are_removed(
    tmp_path: Path, hints: dict[str, Any]
) -> None:
    bot = next(bot for bot in list_hostile_bots() if bot.name == "write_tmp")
    assert play_control(bot, tmp_path, hints).outcome == "BREACH"
    assert [path for path in tmp_path.iterdir() if path.name != "bot.py"] == []
