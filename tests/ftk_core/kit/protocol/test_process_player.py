"""A bot in a child process is not trusted, and each failure ends in a named excuse."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ftk_core.games import game
from ftk_core.games.pig.rules import HoldAction, RollAction
from ftk_core.kit.built_in_bots import start_bot
from ftk_core.kit.protocol.bot_pipes import BotPipes
from ftk_core.kit.protocol.process_player import MAX_CONSECUTIVE_TIMEOUTS, POLL_MS, BotProcessPlayer
from ftk_core.log_entries import TimeControl
from ftk_core.players import HelloMessage, NoAnswerError, QuestionToSeat

PIG = game("pig")
MENU = (HoldAction(), RollAction())
CLOCK = TimeControl(move_ms=200, bank_ms=0)
READ = "import json,os,sys,time\nsys.stdin.readline()\nfor line in sys.stdin:\n    ask = json.loads(line)\n"


def question(number: int = 1) -> QuestionToSeat:
    return QuestionToSeat(PIG, PIG.setup(2, PIG.options()), 0, MENU, number=number, clock=CLOCK)


@contextmanager
def bot(tmp_path: Path, source: str) -> Iterator[BotProcessPlayer]:
    program = tmp_path / "program.py"
    program.write_text(source)
    with BotProcessPlayer("bot", start_bot("pig", str(program))) as player:
        player.greet(HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=CLOCK.move_ms, bank_ms=CLOCK.bank_ms))
        yield player


def excuse_of(player: BotProcessPlayer, ask: QuestionToSeat) -> str:
    with pytest.raises(NoAnswerError) as silence:
        player.choose(ask)
    return silence.value.excuse


def test_an_answer_of_a_bot_is_returned_with_its_menu_index_and_cpu_time(tmp_path: Path) -> None:
    busy = READ + "    end = time.process_time() + 0.02\n    while time.process_time() < end: pass\n"
    with bot(tmp_path, busy + '    print(json.dumps({"id": ask["id"], "choose": 1}), flush=True)') as player:
        answer = [player.choose(question(number)) for number in (1, 2)][1]
    assert answer.index == 1
    assert 20_000 <= answer.spent.charged_us <= CLOCK.move_ms * 1000


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("hello", "JSON"),
        (" ", "the line is empty"),
        ('{"id": 1, "choose": 0, "note": "\\ud800"}', "half of a surrogate pair"),
        ('{"id": 1, "choose": "0", "note": "\\ud83d\\ude00"}', "Expected `int`"),
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
def test_a_malformed_answer_of_a_bot_is_reported_with_the_reason(tmp_path: Path, line: str, why: str) -> None:
    with bot(tmp_path, READ + f"    os.write(1, {line.encode(errors='surrogateescape')!r} + b'\\n')") as player:
        assert excuse_of(player, question()) == "nonsense"
        assert why in player.faults[0][1]


@pytest.mark.slow
@pytest.mark.parametrize("wait_ms", [0, 1000], ids=["busy machine", "bot writes as fast as it is read"])
def test_a_bot_that_floods_its_output_gets_the_same_verdict_on_idle_and_busy_machines(
    wait_ms: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BotPipes, "_waiting", lambda pipes: bool(pipes._ends.ready(wait_ms, ("stdout",))))
    with bot(tmp_path, READ + "    sys.stdout.write('x\\n' * (8 << 20))") as player:
        for number in (1, 2, 3):
            assert excuse_of(player, question(number)) == "nonsense"
    assert [text.partition(":")[0] for _, text in player.faults] == ["malformed"] * 3


def test_a_bot_that_closes_stdout_and_then_crashes_is_reported_with_its_exception(tmp_path: Path) -> None:
    with bot(tmp_path, READ + "    os.close(1); time.sleep(0.2); raise ValueError('out of ideas')") as player:
        assert excuse_of(player, question()) == "crash"
        assert player.faults[0][1] == "crashed: ValueError: out of ideas"


def test_a_crash_report_names_the_exception_even_after_more_stderr_output_than_is_stored(tmp_path: Path) -> None:
    source = READ + "    sys.stderr.write('thinking\\n' * 10_000); raise ValueError('out of ideas\\nand of time')"
    with bot(tmp_path, source) as player:
        assert excuse_of(player, question()) == "crash"
        assert player.faults[0][1] == "crashed: ValueError: out of ideas"


def test_a_late_answer_is_dropped_and_not_used_for_the_next_question(tmp_path: Path) -> None:
    source = READ + (
        "    if ask['id'] == 2:\n        end = time.process_time() + 0.3\n"
        "        while time.process_time() < end: pass\n"
        "    print(json.dumps({'id': ask['id'], 'choose': ask['id'] % 2}), flush=True)"
    )
    with bot(tmp_path, source) as player:
        assert player.choose(question(1)).index == 1
        assert excuse_of(player, question(2)) == "timeout"
        assert player.choose(question(3)).index == 1


def test_a_bot_that_repeatedly_does_not_answer_is_stopped_after_a_few_questions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ftk_core.kit.protocol.process_player.IDLE_MS", 50)
    monkeypatch.setattr("ftk_core.kit.protocol.process_player.STARTUP_MS", 50)
    with bot(tmp_path, READ + "    time.sleep(3600)") as player:
        excuses = [excuse_of(player, question(number)) for number in range(1, MAX_CONSECUTIVE_TIMEOUTS + 2)]
    assert excuses == ["timeout"] * MAX_CONSECUTIVE_TIMEOUTS + ["crash"]


def test_a_bot_that_never_reads_does_not_block_the_referee(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ftk_core.kit.protocol.process_player.IDLE_MS", 50)
    monkeypatch.setattr("ftk_core.kit.protocol.process_player.STARTUP_MS", 50)
    with bot(tmp_path, "import time\ntime.sleep(3600)") as player:
        player.greet(HelloMessage(game="x" * 1_000_000, version=1, seat=0, seats=2, move_ms=0, bank_ms=0))
        assert excuse_of(player, question()) == "timeout"


def test_no_child_process_of_a_bot_survives_the_end_of_its_context_manager(tmp_path: Path) -> None:
    with bot(tmp_path, READ + "    pass") as player:
        folder = Path(f"/proc/{player.pid}")
        assert folder.exists()
    assert not folder.exists()


def test_the_python_library_for_bots_follows_the_protocol(tmp_path: Path) -> None:
    source = "from ftk_core.kit.bot import run\nrun(lambda ask: len(ask.menu) - 1)"
    with bot(tmp_path, source) as player:
        assert player.choose(question(1)).index == 1
        assert player.choose(question(2)).index == 1
        player.over((1, 2))


WORLD = (
    READ
    + """    print(json.dumps({"id": ask["id"], "world": True}), flush=True)
    world = json.loads(sys.stdin.readline())
    print(json.dumps({"id": ask["id"], "choose": 1, "note": json.dumps(world)}), flush=True)
"""
)


def test_a_bot_can_request_the_game_state_before_it_answers_a_question(tmp_path: Path) -> None:
    with bot(tmp_path, WORLD) as player:
        assert player.choose(question()).index == 1
        assert player.choose(question(2)).index == 1
        assert json.loads(player.notes[1][1]) == {
            "type": "world", "id": 2,
            "state": {"banked": [0, 0], "seat": 0, "gathered": 0, "rolls": 0, "turns": 0, "face": 0},
        }  # fmt: skip


def test_a_repeated_or_early_request_of_a_bot_for_the_game_state_is_malformed(tmp_path: Path) -> None:
    twice = READ + """    print(2 * (json.dumps({"id": ask["id"], "world": True}) + "\\n"), flush=True)"""
    with bot(tmp_path, twice) as player:
        assert excuse_of(player, question()) == "nonsense"
        assert "was sent already" in player.faults[0][1]
    with bot(tmp_path, READ + '    print(json.dumps({"id": 2, "world": True}), flush=True)') as player:
        assert excuse_of(player, question()) == "nonsense"
        assert "not yet asked" in player.faults[0][1]


@pytest.mark.slow
def test_the_callback_for_waiting_time_is_called_even_if_the_bot_answers_immediately(tmp_path: Path) -> None:
    program, calls = tmp_path / "program.py", list[int]()
    program.write_text(READ + '    print(json.dumps({"id": ask["id"], "choose": 1}), flush=True)')
    with BotProcessPlayer("bot", start_bot("pig", str(program)), waiting=lambda: calls.append(len(calls))) as player:
        player.greet(HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=CLOCK.move_ms, bank_ms=CLOCK.bank_ms))
        player.choose(question())
        calls.clear()
        number, began = 1, time.monotonic()
        while time.monotonic() < began + 20 * POLL_MS / 1000:
            player.choose(question(number := number + 1))
    assert len(calls) >= 5
