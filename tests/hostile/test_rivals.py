"""Nothing of a bot reaches the next one that the same worker starts: no source, no plan, no luck."""

from __future__ import annotations

import base64
import contextlib
import re
import secrets
from pathlib import Path

import pytest

from ftk_core.kit.pipe import PipePlayer
from tests.support.cage.bots import SAYS, bot_in, note_of, question
from tests.support.machine import held_tiers

EVERYWHERE = pytest.mark.parametrize("tier", held_tiers())
LINES = 400


def memory_of(player: PipePlayer) -> bytes:
    """Return all that a process has in its memory and can be read."""
    found = []
    maps = Path(f"/proc/{player.pid}/maps").read_text()
    with open(f"/proc/{player.pid}/mem", "rb", buffering=0) as memory:
        for start, end in re.findall(r"^(\w+)-(\w+) r", maps, re.MULTILINE):
            with contextlib.suppress(OSError, ValueError, OverflowError):  # the kernel's own pages
                memory.seek(int(start, 16))
                found.append(memory.read(int(end, 16) - int(start, 16)))
    return b"".join(found)


def spellings(word: str) -> list[bytes]:
    """Return how a word may lie in memory: as it is, or inside a text in base64, wherever it begins there."""
    shifted = [base64.b64encode(bytes(shift) + word.encode())[4:-4] for shift in range(3)]
    return [word.encode(), *shifted]


def secretive(word: str) -> str:
    """Return a bot whose every line holds a word, and a table that does too."""
    told = "\n".join(f"WORD_{number} = '{word}{number:03}'" for number in range(LINES))
    return told + "\n" + SAYS.format(body="    return open('table.txt').read()[:7]")


@EVERYWHERE
def test_a_bots_memory_holds_nothing_of_a_rivals_files(tier: str, tmp_path: Path) -> None:
    words = [f"{secrets.token_hex(8)}-" for _ in range(3)]
    for word in words:
        folder = tmp_path / word
        folder.mkdir()
        (folder / "table.txt").write_text(f"{word}table\n" * LINES)
        with bot_in(tier, folder, secretive(word)) as rival:
            rival.choose(question())
            assert rival.notes[0][1] == word[:7]
            assert memory_of(rival).count(word.encode()) >= LINES, "its own it holds, and we would find it"
    with bot_in(tier, tmp_path / "curious", SAYS.format(body="    return ''")) as curious:
        curious.choose(question())
        held = memory_of(curious)
    found = {word: sum(map(held.count, spellings(word))) for word in words}
    assert found == dict.fromkeys(words, 0)
    assert len(held) > 1 << 20


@EVERYWHERE
def test_luck_is_another_in_every_bot(tier: str, tmp_path: Path) -> None:
    body = "import random; return random.getrandbits(64)"
    assert len({note_of(tier, tmp_path / str(number), body) for number in range(4)}) == 4


@EVERYWHERE
def test_the_order_of_a_set_is_the_same_in_every_match_as_the_protocol_says(tier: str, tmp_path: Path) -> None:
    body = "return hash('a word')"
    assert len({note_of(tier, tmp_path / str(number), body) for number in range(2)}) == 1
    assert "PYTHONHASHSEED=0" in Path("docs/bot-protocol.md").read_text()
