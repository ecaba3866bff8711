"""A bot runs alone: no network, no environment, no secrets, bounded, and gone afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.test import override_settings

from bots.sandbox.spawn import caged
from ftk_core.entries import Clock
from ftk_core.games import game
from ftk_core.games.pig.rules import Hold, Roll
from ftk_core.kit.pipe import PipePlayer
from ftk_core.players import Ask, Hello, NoAnswer

PIG = game("pig")
TRY = """
import json, sys
def attempt():
{body}
sys.stdin.readline()
line = json.loads(sys.stdin.readline())
try:
    attempt()
    said = "done"
except BaseException as error:
    said = f"{{type(error).__name__}}: {{error}}"
print(json.dumps({{"id": line["id"], "choose": 0, "note": said[:500]}}), flush=True)
"""


@contextmanager
def bot(tmp_path: Path, source: str) -> Iterator[PipePlayer]:
    stored = tmp_path / "stored"
    stored.mkdir(parents=True)
    (stored / "bot.py").write_text(source)
    with caged("bot", stored, ("python", "bot.py")) as player:
        player.greet(Hello("pig", 1, 0, 2, 1000, 0))
        yield player


def note_of(tmp_path: Path, body: str) -> str:
    """Return what became of an attempt made inside."""
    indented = "\n".join("    " + line for line in body.splitlines())
    with bot(tmp_path, TRY.format(body=indented)) as player:
        player.choose(Ask(PIG, PIG.setup(2, PIG.options()), 0, (Hold(), Roll()), number=1, clock=Clock(3000, 0)))
        return player.notes[0][1]


def test_the_network_is_not_there(tmp_path: Path) -> None:
    said = note_of(tmp_path, "import socket\nsocket.create_connection(('127.0.0.1', 8000), 1)")
    assert "unreachable" in said


def test_the_environment_is_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_WORKER", "x")
    said = note_of(tmp_path, "import os\nraise ValueError(sorted(os.environ))")
    assert said == "ValueError: ['LANG', 'PATH', 'PYTHONHASHSEED']"


def test_our_folders_are_hidden(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("opensesame")
    with override_settings(HIDDEN_FROM_BOTS=[secret]):
        said = note_of(tmp_path, f"raise ValueError(open({str(secret / 'key')!r}).read())")
    assert "Error" in said
    assert "opensesame" not in said


def test_the_workers_packages_cannot_be_imported_but_the_helper_can(tmp_path: Path) -> None:
    assert "ModuleNotFoundError" in note_of(tmp_path, "import django")
    assert note_of(tmp_path / "again", "import ftk_core.kit.bot") == "done"


def test_the_workers_memory_and_environment_cannot_be_read(tmp_path: Path) -> None:
    said = note_of(tmp_path, f"open('/proc/{os.getpid()}/environ').read()\nopen('/proc/{os.getpid()}/mem')")
    assert "Error" in said


def test_the_worker_cannot_be_signalled(tmp_path: Path) -> None:
    said = note_of(tmp_path, f"import os\nos.kill({os.getpid()}, 0)")
    assert "ProcessLookupError" in said


def test_memory_is_bounded(tmp_path: Path) -> None:
    assert "MemoryError" in note_of(tmp_path, "x = bytearray(1 << 30)")


def test_a_file_is_bounded(tmp_path: Path) -> None:
    assert "File too large" in note_of(tmp_path, "open('big', 'wb').write(bytes(2 << 20))")


def test_what_it_writes_is_gone_afterwards(tmp_path: Path) -> None:
    said = note_of(tmp_path, "import os\nopen('mine', 'w').write('x')\nraise ValueError(os.getcwd())")
    folder = Path(said.removeprefix("ValueError: "))
    assert folder.name.startswith("ftk-bot-")
    assert not folder.exists()


def test_a_child_that_leaves_its_session_dies_with_the_bot(tmp_path: Path) -> None:
    body = (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        while True:\n            time.sleep(1)\n    os._exit(0)"
    )
    assert note_of(tmp_path, body) == "done"
    marks = {Path(f"/proc/{pid}/cmdline") for pid in os.listdir("/proc") if pid.isdigit()}
    left = [path for path in marks if _names(path, str(tmp_path))]
    assert left == []


def _names(path: Path, text: str) -> bool:
    try:
        return text in path.read_text(errors="replace")
    except OSError:
        return False


def test_a_bot_that_never_answers_ends_with_its_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ftk_core.kit.pipe.IDLE_MS", 50)
    monkeypatch.setattr("ftk_core.kit.pipe.STARTUP_MS", 50)
    with bot(tmp_path, "import time\ntime.sleep(3600)") as player, pytest.raises(NoAnswer):
        player.choose(Ask(PIG, PIG.setup(2, PIG.options()), 0, (Hold(), Roll()), number=1, clock=Clock(50, 0)))
    assert not Path(f"/proc/{player.pid}").exists()
