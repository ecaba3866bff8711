"""What a bot in Python notes beside its answer reaches its author, whatever is in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ftk_core.games import game
from ftk_core.kit.bot import cut
from ftk_core.kit.house import start
from ftk_core.kit.pipe import PipePlayer
from ftk_core.players import RandomPlayer
from ftk_core.referee import play
from ftk_core.rng import seed_of

NOTING = """
from ftk_core.kit.bot import run
def choose(ask):
    ask.note = {note}
    return 0
run(choose)
"""


def noted(folder: Path, note: str) -> PipePlayer:
    """Return a bot that has played a match and set this note at every question."""
    program = folder / "bot.py"
    program.write_text(NOTING.format(note=note))
    with PipePlayer("noting", start(program), metered=False) as bot:
        play(game("pig"), [bot, RandomPlayer(seed_of("other"))], seed_of("notes"))
    return bot


def test_a_note_reaches_the_author_with_the_question_it_belongs_to(tmp_path: Path) -> None:
    bot = noted(tmp_path, 'f"question {ask.id}, 國王"')
    assert bot.faults == []
    assert bot.notes
    assert all(text == f"question {number}, 國王" for number, text in bot.notes)


def test_no_note_is_sent_where_none_is_set(tmp_path: Path) -> None:
    assert noted(tmp_path, '""').notes == []


@pytest.mark.parametrize("note", ['"x" * 9_000', '"國" * 9_000', '"a\\0b"', '"\\ud800"'])
def test_no_note_spoils_the_answer(tmp_path: Path, note: str) -> None:
    bot = noted(tmp_path, note)
    assert bot.faults == []
    assert bot.notes


def test_as_much_of_a_note_is_kept_as_a_line_can_carry() -> None:
    assert cut("short") == "short"
    assert len(cut("x" * 9_000)) > 3_000
