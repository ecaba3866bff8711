"""Traces of earlier bots: nothing of a bot reaches the next bot of the same worker."""

from __future__ import annotations

import base64
import contextlib
import re
import secrets
from pathlib import Path

import pytest

from ftk_core.kit.protocol.process_player import BotProcessPlayer
from tests.support.machine import working_backends
from tests.support.sandbox.bots import NOTING_BOT, question, run_lines_in, start_bot_in

EVERYWHERE = pytest.mark.parametrize("backend", working_backends())
LINES = 400


def memory_of(player: BotProcessPlayer) -> bytes:
    """Return the readable memory of a process."""
    found = []
    maps = Path(f"/proc/{player.pid}/maps").read_text()
    with open(f"/proc/{player.pid}/mem", "rb", buffering=0) as memory:
        for start, end in re.findall(r"^(\w+)-(\w+) r", maps, re.MULTILINE):
            with contextlib.suppress(OSError, ValueError, OverflowError):  # the kernel's own pages
                memory.seek(int(start, 16))
                found.append(memory.read(int(end, 16) - int(start, 16)))
    return b"".join(found)


def spellings(word: str) -> list[bytes]:
    """Return the forms of a word in memory: plain, or inside a base64 text at each offset."""
    shifted = [base64.b64encode(bytes(shift) + word.encode())[4:-4] for shift in range(3)]
    return [word.encode(), *shifted]


def secretive(word: str) -> str:
    """Return a bot that contains a word in every line and in a table."""
    told = "\n".join(f"WORD_{number} = '{word}{number:03}'" for number in range(LINES))
    return told + "\n" + NOTING_BOT.format(body="    return open('table.txt').read()[:7]")


@EVERYWHERE
def test_the_memory_of_a_bot_process_contains_no_files_of_other_bots(backend: str, tmp_path: Path) -> None:
    words = [f"{secrets.token_hex(8)}-" for _ in range(3)]
    for word in words:
        folder = tmp_path / word
        folder.mkdir()
        (folder / "table.txt").write_text(f"{word}table\n" * LINES)
        with start_bot_in(backend, folder, secretive(word)) as rival:
            rival.choose(question())
            assert rival.notes[0][1] == word[:7]
            assert memory_of(rival).count(word.encode()) >= LINES, "its own it holds, and we would find it"
    with start_bot_in(backend, tmp_path / "curious", NOTING_BOT.format(body="    return ''")) as curious:
        curious.choose(question())
        held = memory_of(curious)
    found = {word: sum(map(held.count, spellings(word))) for word in words}
    assert found == dict.fromkeys(words, 0)
    assert len(held) > 1 << 20


@EVERYWHERE
def test_pythons_random_module_is_seeded_differently_in_every_bot(backend: str, tmp_path: Path) -> None:
    body = "import random; return random.getrandbits(64)"
    assert len({run_lines_in(backend, tmp_path / str(number), body) for number in range(4)}) == 4


@EVERYWHERE
def test_string_hashes_of_python_bots_are_the_same_in_every_match_as_documented(backend: str, tmp_path: Path) -> None:
    body = "return hash('a word')"
    assert len({run_lines_in(backend, tmp_path / str(number), body) for number in range(2)}) == 1
    assert "PYTHONHASHSEED=0" in Path("docs/bot-protocol.md").read_text()
