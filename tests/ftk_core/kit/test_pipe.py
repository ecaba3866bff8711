"""A bot behind a pipe is believed in nothing, and every way it can fail ends in a named excuse."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ftk_core.entries import Clock
from ftk_core.games import game
from ftk_core.games.pig.rules import Hold, Roll
from ftk_core.kit.house import start
from ftk_core.kit.pipe import PATIENCE, PipePlayer
from ftk_core.players import Ask, Hello, NoAnswer

PIG = game("pig")
MENU = (Hold(), Roll())
CLOCK = Clock(move_ms=200, bank_ms=0)
READ = "import json,os,sys,time\nsys.stdin.readline()\nfor line in sys.stdin:\n    ask = json.loads(line)\n"


def question(number: int = 1) -> Ask:
    return Ask(PIG, PIG.setup(2, PIG.options()), 0, MENU, number=number, clock=CLOCK)


@contextmanager
def bot(tmp_path: Path, source: str) -> Iterator[PipePlayer]:
    program = tmp_path / "program.py"
    program.write_text(source)
    with PipePlayer("bot", start(program)) as player:
        player.greet(Hello(game="pig", version=1, seat=0, seats=2, move_ms=CLOCK.move_ms, bank_ms=CLOCK.bank_ms))
        yield player


def excuse_of(player: PipePlayer, ask: Ask) -> str:
    with pytest.raises(NoAnswer) as silence:
        player.choose(ask)
    return silence.value.excuse


def test_an_answer_is_an_index_with_the_computing_time_it_took(tmp_path: Path) -> None:
    with bot(tmp_path, READ + '    print(json.dumps({"id": ask["id"], "choose": 1}), flush=True)') as player:
        answer = player.choose(question())
    assert answer.index == 1
    assert answer.spent.charged_us >= 0


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("hello", "JSON"),
        ('{"id": 1}', "choose"),
        ('{"id": 1, "choose": 2}', "menu"),
        ('{"id": 1, "choose": -1}', "menu"),
        ('{"id": 1, "choose": true}', "int"),
        ('{"id": 1, "choose": 1.5}', "int"),
        ('{"id": 1, "choose": NaN}', "JSON"),
        ('{"id": 2, "choose": 0}', "not yet asked"),
        ('{"id": 1, "choose": 0, "note": "' + "x" * 5000 + '"}', "longer"),
        ('{"id": 1, "choose": 0, "note": "\udcff"}', "utf-8"),
    ],
)
def test_an_answer_that_is_not_one_is_nonsense_and_says_why(tmp_path: Path, line: str, why: str) -> None:
    with bot(tmp_path, READ + f"    os.write(1, {line.encode(errors='surrogateescape')!r} + b'\\n')") as player:
        assert excuse_of(player, question()) == "nonsense"
        assert why in player.faults[0][1]


def test_a_line_that_never_ends_is_nonsense(tmp_path: Path) -> None:
    with bot(tmp_path, READ + "    sys.stdout.write('x' * 100_000); sys.stdout.flush()") as player:
        assert excuse_of(player, question()) == "nonsense"


def test_a_bot_that_ends_has_crashed_and_its_last_words_are_kept(tmp_path: Path) -> None:
    with bot(tmp_path, READ + "    raise ValueError('out of ideas')") as player:
        assert excuse_of(player, question()) == "crash"
        assert "out of ideas" in player.stderr
        assert "out of ideas" in player.faults[0][1]
        assert excuse_of(player, question(2)) == "crash"


def test_a_late_answer_is_dropped_and_not_taken_for_the_next_question(tmp_path: Path) -> None:
    source = READ + (
        "    if ask['id'] == 2:\n        end = time.process_time() + 0.3\n"
        "        while time.process_time() < end: pass\n"
        "    print(json.dumps({'id': ask['id'], 'choose': ask['id'] % 2}), flush=True)"
    )
    with bot(tmp_path, source) as player:
        assert player.choose(question(1)).index == 1
        assert excuse_of(player, question(2)) == "timeout"
        assert player.choose(question(3)).index == 1


def test_a_bot_that_stays_silent_is_ended_after_a_few_questions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ftk_core.kit.pipe.IDLE_MS", 50)
    monkeypatch.setattr("ftk_core.kit.pipe.STARTUP_MS", 50)
    with bot(tmp_path, READ + "    time.sleep(3600)") as player:
        excuses = [excuse_of(player, question(number)) for number in range(1, PATIENCE + 2)]
    assert excuses == ["timeout"] * PATIENCE + ["crash"]


def test_a_bot_that_never_reads_cannot_block_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ftk_core.kit.pipe.IDLE_MS", 50)
    monkeypatch.setattr("ftk_core.kit.pipe.STARTUP_MS", 50)
    with bot(tmp_path, "import time\ntime.sleep(3600)") as player:
        player.greet(Hello(game="x" * 1_000_000, version=1, seat=0, seats=2, move_ms=0, bank_ms=0))
        assert excuse_of(player, question()) == "timeout"


def test_stderr_is_kept_up_to_its_limit_and_never_blocks(tmp_path: Path) -> None:
    source = READ + (
        "    sys.stderr.write('y' * 300_000)\n    print(json.dumps({'id': ask['id'], 'choose': 0}), flush=True)"
    )
    with bot(tmp_path, source) as player:
        assert player.choose(question()).index == 0
        assert len(player.stderr) == 16_384


def test_nothing_of_a_bot_is_left_when_its_block_ends(tmp_path: Path) -> None:
    with bot(tmp_path, READ + "    pass") as player:
        folder = Path(f"/proc/{player.pid}")
        assert folder.exists()
    assert not folder.exists()


def test_the_helper_speaks_the_protocol_from_end_to_end(tmp_path: Path) -> None:
    source = "from ftk_core.kit.bot import run\nrun(lambda ask: len(ask.menu) - 1)"
    with bot(tmp_path, source) as player:
        assert player.choose(question(1)).index == 1
        assert player.choose(question(2)).index == 1
        player.over((1, 2))


def test_an_answer_that_comes_after_its_time_is_none(tmp_path: Path) -> None:
    late = """    end = time.process_time() + (0.21 if ask["id"] > 1 else 0)
    while time.process_time() < end: pass
    print(json.dumps({"id": ask["id"], "choose": 1}), flush=True)"""
    with bot(tmp_path, READ + late) as player:
        assert player.choose(question()).index == 1
        assert excuse_of(player, question(2)) == "timeout"
        assert "overtime" in player.faults[0][1]


def test_an_answer_ahead_of_its_question_is_nonsense(tmp_path: Path) -> None:
    ahead = '    os.write(1, b\'{"id": %d, "choose": 1}\\n{"id": %d, "choose": 0}\\n\' % (ask["id"], ask["id"] + 1))'
    with bot(tmp_path, READ + ahead) as player:
        assert player.choose(question()).index == 1
        assert excuse_of(player, question(2)) == "nonsense"
        assert "question 2 was not yet asked" in player.faults[0][1]


def test_the_rest_of_a_line_that_is_too_long_is_no_second_fault(tmp_path: Path) -> None:
    long = """    if ask["id"] == 1: os.write(1, b"x" * 50_000); time.sleep(0.1); os.write(1, b"x" * 9_000 + b"\\n")
    print(json.dumps({"id": ask["id"], "choose": 1}), flush=True)"""
    with bot(tmp_path, READ + long) as player:
        assert excuse_of(player, question()) == "nonsense"
        assert "longer than" in player.faults[0][1]
        assert player.choose(question(2)).index == 1


@pytest.mark.parametrize("number", ["9" * 4000, "-" + "9" * 30, "2147483648"])
@pytest.mark.parametrize("key", ["id", "choose"])
def test_a_huge_number_is_called_malformed_in_few_words(tmp_path: Path, key: str, number: str) -> None:
    reply = {"id": "1", "choose": "1", key: number}
    with bot(
        tmp_path, READ + f'    print(\'{{"id": {reply["id"]}, "choose": {reply["choose"]}}}\', flush=True)'
    ) as player:
        assert excuse_of(player, question()) == "nonsense"
        assert player.faults[0][1].startswith("malformed")
        assert len(player.faults[0][1]) < 300
