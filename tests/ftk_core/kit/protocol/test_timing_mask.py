"""Timing masks: a question that is not asked takes as long as one that is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from math import log2
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from ftk_core.games import game
from ftk_core.games.pig.rules import HoldAction, RollAction
from ftk_core.kit.built_in_bots import start_bot
from ftk_core.kit.protocol.answer_time_rounding import (
    FIRST_GUESS_US,
    MIN_RELEASE_US,
    RecentAnswerTimes,
    release_time_us,
)
from ftk_core.kit.protocol.cpu_clock import cpu_us
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.players import HelloMessage, QuestionToSeat

PIG = game("pig")
LONG_US = 150_000
PROGRAM = """
import json, sys
print("begun", file=sys.stderr, flush=True)
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] == "ask":
        print(json.dumps({"id": ask["id"], "choose": 1}), flush=True)
"""


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def bot(
    stack: ExitStack, tmp_path: Path, rounded_times: RecentAnswerTimes, *, suspends_when_idle: bool = True
) -> BotProcessPlayer:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    player = stack.enter_context(
        BotProcessPlayer(
            "bot", start_bot("pig", str(program)), suspends_when_idle=suspends_when_idle, rounded_times=rounded_times
        )
    )
    player.greet(HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0))
    return player


def ask(player: BotProcessPlayer, number: int) -> int:
    return player.choose(
        QuestionToSeat(PIG, PIG.setup(2, PIG.options()), 0, (HoldAction(), RollAction()), number=number)
    ).index


def seconds_of_pretending(player: BotProcessPlayer) -> float:
    began = time.monotonic()
    player.wait_as_if_asked()
    return time.monotonic() - began


def test_simulated_thinking_time_is_the_median_answer_time_of_the_seat_or_else_of_all_seats() -> None:
    rounded_times = RecentAnswerTimes()
    assert rounded_times.median_answer_time_us("a") == FIRST_GUESS_US
    for took in (10, 900, 30):
        rounded_times.note("a", took)
    assert (rounded_times.median_answer_time_us("a"), rounded_times.median_answer_time_us("b")) == (30, 30)
    rounded_times.note("b", 5000)
    assert (rounded_times.median_answer_time_us("a"), rounded_times.median_answer_time_us("b")) == (30, 5000)


def test_a_bot_process_starts_at_its_first_forced_move_even_though_the_bot_is_not_asked(
    stack: ExitStack, tmp_path: Path
) -> None:
    player = bot(stack, tmp_path, RecentAnswerTimes())
    player.wait_as_if_asked()
    assert cpu_us(player.pid) > 1000
    assert ask(player, 1) == 1
    assert player.stderr == "begun\n"


def test_a_bot_process_is_paused_while_its_thinking_time_is_simulated(stack: ExitStack, tmp_path: Path) -> None:
    rounded_times = RecentAnswerTimes()
    player = bot(stack, tmp_path, rounded_times)
    ask(player, 1)
    rounded_times.note(player, LONG_US)
    before = cpu_us(player.pid)
    assert seconds_of_pretending(player) >= LONG_US / 1e6
    assert cpu_us(player.pid) - before < LONG_US / 10


def test_the_log_is_stored_and_the_lease_renewed_while_thinking_time_is_simulated(
    stack: ExitStack, tmp_path: Path
) -> None:
    rounded_times, waited = RecentAnswerTimes(), list[float]()
    player = bot(stack, tmp_path, rounded_times)
    player._on_wait = lambda: waited.append(time.monotonic())
    rounded_times.note(player, LONG_US)
    player.wait_as_if_asked()
    assert len(waited) >= 5


def test_ftk_commands_on_the_authors_machine_simulate_no_thinking_time(stack: ExitStack, tmp_path: Path) -> None:
    rounded_times = RecentAnswerTimes()
    player = bot(stack, tmp_path, rounded_times, suspends_when_idle=False)
    rounded_times.note(player, 3600 * 10**6)
    assert seconds_of_pretending(player) < 60


@given(st.integers(0, 20_000_000), st.sampled_from([1, 50, 1000, 60_000]), st.integers(2, 16))
def test_an_answer_is_delayed_until_the_next_point_of_the_answer_time_grid(
    took_us: int, move_ms: int, factor: int
) -> None:
    released = release_time_us(took_us, move_ms, factor)
    assert released >= max(took_us, MIN_RELEASE_US)
    assert release_time_us(released, move_ms, factor) == released, "a point is released at itself"
    assert released <= max(took_us, MIN_RELEASE_US + 1) * factor + factor, "nobody waits longer than that"


def test_there_are_seven_permitted_answer_times_so_that_less_than_three_bits_leak() -> None:
    points = {release_time_us(took_us, 1000, 4) for took_us in range(0, 4_000_000, 50)}
    assert sorted(points) == [976, 3906, 15_625, 62_500, 250_000, 1_000_000, 4_000_000]
    assert log2(len(points)) < 3


@pytest.mark.parametrize("grid", [2, 4])
def test_no_answer_is_passed_on_before_the_earliest_of_the_permitted_answer_times(
    grid: int, stack: ExitStack, tmp_path: Path
) -> None:
    player = bot(stack, tmp_path, RecentAnswerTimes(grid))
    ask(player, 1)
    for number in range(2, 12):
        began = time.monotonic_ns()
        ask(player, number)
        took_us = (time.monotonic_ns() - began) // 1000
        assert took_us >= 976, "one second, divided by 2 or 4 until it is less than a millisecond"


def test_simulated_thinking_time_is_rounded_up_to_the_next_permitted_answer_time(
    stack: ExitStack, tmp_path: Path
) -> None:
    rounded_times = RecentAnswerTimes(grid=4)
    player = bot(stack, tmp_path, rounded_times)
    ask(player, 1)
    for _ in range(31):
        rounded_times.note(player, 20_000)
    assert 0.0625 <= seconds_of_pretending(player) < 1
