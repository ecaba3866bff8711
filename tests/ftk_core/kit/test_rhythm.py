"""A question that is not asked takes as long as one that is, and a bot that was not asked has begun all the same."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ftk_core.games import game
from ftk_core.games.pig.rules import Hold, Roll
from ftk_core.kit.clock import cpu_us
from ftk_core.kit.house import start
from ftk_core.kit.pipe import PipePlayer
from ftk_core.kit.rhythm import FIRST_GUESS_US, Rhythm
from ftk_core.players import Ask, Hello

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


def bot(stack: ExitStack, tmp_path: Path, rhythm: Rhythm, *, freezes: bool = True) -> PipePlayer:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    player = stack.enter_context(PipePlayer("bot", start(program), freezes=freezes, rhythm=rhythm))
    player.greet(Hello(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0))
    return player


def ask(player: PipePlayer, number: int) -> int:
    return player.choose(Ask(PIG, PIG.setup(2, PIG.options()), 0, (Hold(), Roll()), number=number)).index


def seconds_of_pretending(player: PipePlayer) -> float:
    began = time.monotonic()
    player.pretend()
    return time.monotonic() - began


def test_what_is_usual_is_the_median_of_ones_own_answers_and_else_of_everybodys() -> None:
    rhythm = Rhythm()
    assert rhythm.usual("a") == FIRST_GUESS_US
    for took in (10, 900, 30):
        rhythm.note("a", took)
    assert (rhythm.usual("a"), rhythm.usual("b")) == (30, 30)
    rhythm.note("b", 5000)
    assert (rhythm.usual("a"), rhythm.usual("b")) == (30, 5000)


def test_a_bot_that_is_not_asked_has_begun_as_if_it_had_been(stack: ExitStack, tmp_path: Path) -> None:
    player = bot(stack, tmp_path, Rhythm())
    player.pretend()
    assert cpu_us(player.pid) > 1000
    assert ask(player, 1) == 1
    assert player.stderr == "begun\n"


def test_it_stands_still_while_it_pretends_to_think(stack: ExitStack, tmp_path: Path) -> None:
    rhythm = Rhythm()
    player = bot(stack, tmp_path, rhythm)
    ask(player, 1)
    rhythm.note(player, LONG_US)
    before = cpu_us(player.pid)
    assert seconds_of_pretending(player) >= LONG_US / 1e6
    assert cpu_us(player.pid) - before < LONG_US / 10


def test_the_log_is_stored_and_the_lease_renewed_meanwhile(stack: ExitStack, tmp_path: Path) -> None:
    rhythm, waited = Rhythm(), list[float]()
    player = bot(stack, tmp_path, rhythm)
    player._on_wait = lambda: waited.append(time.monotonic())
    rhythm.note(player, LONG_US)
    player.pretend()
    assert len(waited) >= 5


def test_on_an_authors_own_machine_nothing_is_hidden(stack: ExitStack, tmp_path: Path) -> None:
    rhythm = Rhythm()
    player = bot(stack, tmp_path, rhythm, freezes=False)
    rhythm.note(player, 3600 * 10**6)
    assert seconds_of_pretending(player) < 60
