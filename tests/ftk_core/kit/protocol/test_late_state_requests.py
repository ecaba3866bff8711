"""Requests for a state of the match that come after the time for the question."""

from __future__ import annotations

from pathlib import Path

import pytest

from ftk_core.games import game
from ftk_core.games.pig.rules import HoldAction, RollAction
from ftk_core.kit.built_in_bots import start_bot
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.log_entries import TimeControl
from ftk_core.players import HelloMessage, NoAnswerError, QuestionToSeat

PIG = game("pig")
CLOCK = TimeControl(move_ms=200, bank_ms=0)
SLOW_ONCE = """
import time
from ftk_core.kit.bot import run

def choose(ask):
    end = time.process_time() + (0.25 if ask.id == 2 else 0)
    while time.process_time() < end: pass
    return 1 if ask.world() else 0

run(choose)
"""


def create_question(number: int) -> QuestionToSeat:
    return QuestionToSeat(PIG, PIG.setup(2, PIG.options()), 0, (HoldAction(), RollAction()), number=number, clock=CLOCK)


def test_a_bot_that_requests_the_game_state_after_its_time_loses_one_question(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(SLOW_ONCE)
    with BotProcessPlayer("bot", start_bot("pig", str(program))) as player:
        player.greet(HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=CLOCK.move_ms, bank_ms=CLOCK.bank_ms))
        assert player.choose(create_question(1)).index == 1
        with pytest.raises(NoAnswerError) as silence:
            player.choose(create_question(2))
        assert silence.value.excuse == "timeout"
        assert [player.choose(create_question(number)).index for number in (3, 4)] == [1, 1]
