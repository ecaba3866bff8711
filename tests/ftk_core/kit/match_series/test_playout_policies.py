"""Bots in simulated matches, which get the time limits of the real match."""

from __future__ import annotations

from pathlib import Path

from ftk_core.analysis.playouts import RandomPlayoutPolicy
from ftk_core.games import game
from ftk_core.kit.match_series.playout_policies import BotPlayoutPolicy, SingleSeatBotPolicy
from ftk_core.log_entries import TimeControl
from ftk_core.random_streams import MatchRandomness, seed_of

PIG = game("pig")
STATE = PIG.setup(2, PIG.options())
CLOCK = TimeControl(move_ms=3000, bank_ms=4000)
NOTES_ITS_TIME = """
from ftk_core.kit.bot import run

def choose(ask):
    with open({file!r}, "a") as times:
        print(ask.hello["move_ms"], ask.hello["bank_ms"], ask.bank_ms, file=times)
    return 0

run(choose)
"""


def write_bot(folder: Path) -> tuple[str, Path]:
    """Write a bot; return its path, and the path of the file in which it notes its time limits."""
    bot, times = folder / "bot.py", folder / "times"
    bot.write_text(NOTES_ITS_TIME.format(file=str(times)))
    return str(bot), times


def test_a_bot_in_all_seats_of_a_simulated_match_gets_the_time_control_of_the_real_match(tmp_path: Path) -> None:
    bot, times = write_bot(tmp_path)
    choose = BotPlayoutPolicy(PIG, bot, 2, CLOCK).start(PIG, 2, MatchRandomness(seed_of("clock")).at("clock"))
    choose(STATE, 0, PIG.legal(STATE, 0))
    assert times.read_text() == "3000 4000 4000\n"


def test_a_bot_in_one_seat_of_a_simulated_match_gets_the_time_control_of_the_real_match(tmp_path: Path) -> None:
    bot, times = write_bot(tmp_path)
    with SingleSeatBotPolicy(PIG, bot, 0, RandomPlayoutPolicy(), CLOCK) as policy:
        choose = policy.start(PIG, 2, MatchRandomness(seed_of("clock")).at("clock"))
        choose(STATE, 0, PIG.legal(STATE, 0))
    assert times.read_text() == "3000 4000 4000\n"
