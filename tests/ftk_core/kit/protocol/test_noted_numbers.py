"""The note that a Python bot sends with an answer reaches its author, whatever it contains."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ftk_core.games import game
from ftk_core.kit.bot import truncate_note
from ftk_core.kit.built_in_bots import start_bot
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.kit.protocol.protocol_lines import ANSWER_BYTES
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play

NOTING = """
from ftk_core.kit.bot import run
def choose(ask):
    ask.note = {note}
    return 0
run(choose)
"""


def noted(folder: Path, note: str) -> BotProcessPlayer:
    """Return a bot that has played a match and set this note at every question."""
    program = folder / "bot.py"
    program.write_text(NOTING.format(note=note))
    with BotProcessPlayer("noting", start_bot("pig", str(program)), metered=False) as bot:
        play(game("pig"), [bot, RandomPlayer(seed_of("other"))], seed_of("notes"))
    return bot


def test_a_note_sent_with_an_answer_is_stored_with_the_number_of_the_question(tmp_path: Path) -> None:
    bot = noted(tmp_path, 'f"question {ask.id}, 國王"')
    assert bot.faults == []
    assert bot.notes
    assert all(text == f"question {number}, 國王" for number, text in bot.notes)


def test_an_empty_note_is_not_sent(tmp_path: Path) -> None:
    assert noted(tmp_path, '""').notes == []


@pytest.mark.parametrize("note", ['"x" * 9_000', '"國" * 9_000', '"a\\0b"', '"\\ud800"'])
def test_an_answer_with_an_invalid_note_still_counts(tmp_path: Path, note: str) -> None:
    bot = noted(tmp_path, note)
    assert bot.faults == []
    assert bot.notes


def test_a_long_note_is_truncated_to_the_maximum_line_length() -> None:
    assert truncate_note("short") == "short"
    for note in ("x" * 9_000, "國" * 9_000):
        truncated = truncate_note(note)
        assert note.startswith(truncated)
        line = json.dumps({"id": 1_000_000, "choose": 1_000, "note": truncated})
        assert 3_000 < len(line) <= ANSWER_BYTES
