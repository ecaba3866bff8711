"""`ftk check` with the arena installed beside the kit: it sandboxes a bot as a server does and names the backend."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bots.sandbox.inside.user_namespace import bot_uids
from ftk_core.kit.cli import app
from tests.support.machine import has_programs, working_backends
from tests.support.sandbox.languages import BOT_SOURCES
from tests.support.sandbox.verdict_bots import zipped

SANDBOX_MODES = (*working_backends(), "none")
BOT_IN_C = zipped(bot_c=BOT_SOURCES["c"], bot_toml='command = "c bot.c"')
EACH_BACKEND = pytest.mark.parametrize("cage", working_backends())
GOOD = "from ftk_core.kit.bot import run\nrun(lambda ask: 0)\n"
CURIOUS = """
import json, sys
try:
    found = open({path!r}).read()
except OSError as error:
    found = type(error).__name__
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] == "ask":
        print(json.dumps({{"id": ask["id"], "choose": 0, "note": found}}), flush=True)
"""
STUBBORN = """
import json, sys
print("I shall roll", *sys.argv[1:], file=sys.stderr, flush=True)
asked = 0
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] == "ask":
        asked += 1
        seven = 0 if asked == 2 else 7
        print(json.dumps({"id": ask["id"], "choose": seven, "note": open("book.txt").read()}), flush=True)
"""
FTK = "from ftk_core.kit.cli import app; app()"
STEPS = """
import sys
from bots.sandbox.inside.user_namespace import enter_namespace
enter_namespace()
"""
Check = Callable[..., tuple[int, str]]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """A function that checks a bot given by its content, and leaves no temporary files."""
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))

    def run(body: str | bytes, *words: str, file: str = "mybot.py") -> tuple[int, str]:
        path = tmp_path / file
        path.write_bytes(body if isinstance(body, bytes) else body.encode())
        done = CliRunner().invoke(app, ["check", "pig", str(path), *words])
        assert list((tmp_path / "scratch").iterdir()) == []
        return done.exit_code, done.output

    return run


@pytest.mark.slow
@EACH_BACKEND
def test_ftk_check_prevents_a_bot_from_reading_files_of_the_author(cage: str, check: Check, tmp_path: Path) -> None:
    (tmp_path / "diary").write_text("dear diary")
    curious = CURIOUS.format(path=str(tmp_path / "diary"))
    code, output = check(curious, "--sandbox", cage)
    assert code == 0, output
    assert output.startswith(f"sandboxed as on a server: {cage}\n")
    assert "Error" in output
    assert "dear diary" not in output


def test_ftk_check_without_a_sandbox_warns_that_the_bot_can_read_files(check: Check, tmp_path: Path) -> None:
    (tmp_path / "diary").write_text("dear diary")
    code, output = check(CURIOUS.format(path=str(tmp_path / "diary")), "--sandbox", "none")
    assert code == 0, output
    assert output.startswith("no sandbox: the bot ran with your rights (--sandbox none)\n")
    assert "note: dear diary" in output


@pytest.mark.slow
def test_ftk_check_prints_the_same_report_with_and_without_a_sandbox(check: Check) -> None:
    body = zipped(main_py=STUBBORN, book_txt="seven", bot_toml='command = "python main.py twice"')
    reports = set()
    for cage in SANDBOX_MODES:
        code, output = check(body, "--sandbox", cage, file="mybot.zip")
        assert code == 1
        reports.add("\n".join(line for line in output.splitlines() if not line.startswith(("sandboxed", "no sandbox"))))
    (report,) = reports
    for part in ("question 1: refused: choose is 7", "note: seven", "stderr:\nI shall roll twice", "would be refused"):
        assert part in report


@pytest.mark.parametrize(
    ("file", "body", "why"),
    [
        ("empty.py", b"", "the file is empty"),
        ("rules.zip", b"PK nonsense", "cannot be read as a .zip archive"),
        ("ruby.zip", zipped(bot_rb="", bot_toml='command = "ruby bot.rb"'), "only .py, .js, .ts, .c, .h"),
        ("ruby.zip", zipped(bot_py="", bot_toml='command = "ruby bot.py"'), "the command must be one of"),
    ],
)
def test_ftk_check_fails_and_prints_why_the_server_would_refuse_the_file(
    file: str, body: bytes, why: str, check: Check
) -> None:
    code, output = check(body, file=file)
    assert code == 1
    assert f"{file} would be refused: " in output
    assert why in output


@pytest.mark.slow
@pytest.mark.skipif(not has_programs("bwrap", "cc"), reason="there is no compiler, or nothing to contain it")
@EACH_BACKEND
def test_ftk_check_compiles_and_plays_a_bot_in_c(cage: str, check: Check) -> None:
    code, output = check(BOT_IN_C, "--sandbox", cage, file="c.zip")
    assert code == 0, output


@pytest.mark.slow
@pytest.mark.skipif(not has_programs("bwrap", "cc"), reason="there is no compiler, or nothing to contain it")
def test_a_source_that_does_not_compile_is_refused_with_the_compiler_output(check: Check) -> None:
    body = zipped(bot_c='#include "ask.h"\n', bot_toml='command = "c bot.c"')
    code, output = check(body, "--sandbox", working_backends()[0], file="c.zip")
    assert code == 1
    assert "ask.h" in output
    assert "would be refused: it does not compile" in output


@pytest.mark.skipif(not has_programs("cc"), reason="there is no compiler")
def test_ftk_check_without_a_sandbox_compiles_the_bot(check: Check) -> None:
    code, output = check(BOT_IN_C, "--sandbox", "none", file="c.zip")
    assert code == 0, output
    assert "no sandbox: the bot ran" in output
    code, output = check(zipped(bot_c="nonsense", bot_toml='command = "c bot.c"'), "--sandbox", "none", file="c.zip")
    assert code == 1
    assert "bot.c does not compile: bot.c:1:1: error:" in output


def test_a_missing_compiler_is_reported_with_its_package_name(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    code, output = check(zipped(bot_go="", bot_toml='command = "go bot.go"'), "--sandbox", "none", file="go.zip")
    assert code == 2
    assert "there is no Go compiler on this machine (go); Debian: apt install golang-go" in " ".join(output.split())


@pytest.mark.slow
@EACH_BACKEND
def test_the_variable_bot_cage_selects_the_sandbox(cage: str, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_CAGE", cage)
    code, output = check(GOOD)
    assert code == 0
    assert output.startswith(f"sandboxed as on a server: {cage}\n")


@pytest.mark.slow
def test_ftk_check_uses_the_first_working_backend_by_default(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOT_CAGE")
    assert check(GOOD)[1].startswith(f"sandboxed as on a server: {working_backends()[0]}\n")


@pytest.mark.parametrize("named_by", ["the option", "the environment"])
def test_ftk_check_fails_without_fallback_if_the_selected_sandbox_backend_does_not_work(
    named_by: str, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr("os.defpath", "/nonexistent")
    monkeypatch.setenv("BOT_CAGE", "bwrap")
    code, output = check(GOOD, *(["--sandbox", "bwrap"] if named_by == "the option" else []))
    assert code == 2
    assert ("--sandbox bwrap" if named_by == "the option" else "BOT_CAGE=bwrap") + " fails its self-test here" in output
    assert "apt install bubblewrap" in output
    assert "`--sandbox none`" in output
    assert "played" not in output


def test_an_unknown_sandbox_backend_is_refused_with_a_list_of_known_backends(check: Check) -> None:
    code, output = check(GOOD, "--sandbox", "iron")
    assert code == 2
    assert "there is no sandbox 'iron'; it must be one of bwrap, forkserver, landlock" in output


def run_outside(file: Path, *words: str, before: str = "", launcher: tuple[str, ...] = ()) -> tuple[int, str]:
    """Check a bot from another process, after running `before` in it."""
    environment = {name: value for name, value in os.environ.items() if name not in ("BOT_CAGE", "PYTHONPATH")}
    command = [*launcher, sys.executable, "-c", before + FTK, "check", "pig", str(file), *words]
    done = subprocess.run(
        command, env={**environment, "PYTHONPATH": os.getcwd()}, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_ftk_check_starts_no_bot_when_no_sandbox_backend_works(tmp_path: Path) -> None:
    mark, bot = tmp_path / "it-ran", tmp_path / "mybot.py"
    bot.write_text(f"open({str(mark)!r}, 'w')\n{GOOD}")
    code, output = run_outside(bot, before=STEPS)  # the sandbox does not run in a process with capabilities
    assert code == 2, output
    assert "no sandbox passes its self-test here (bwrap: the worker holds capabilities" in output
    assert "`--sandbox none` runs the bot with your own rights" in output
    assert not mark.exists()


@pytest.mark.slow
@pytest.mark.skipif(
    working_backends() == ("landlock",), reason="namespaces are forbidden here, and so is being root in one"
)
def test_ftk_check_run_as_root_switches_to_the_user_nobody_before_starting_a_bot(tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text(GOOD)
    root = (
        "from bots.sandbox.inside.user_namespace import enter_namespace\n"
        f"enter_namespace(uids={bot_uids() is not None}, inner_id=0)\n"
    )
    code, output = run_outside(tmp_path / "mybot.py", before=root)
    assert code == 0, output
    assert output.startswith("sandboxed as on a server: ")


@pytest.mark.slow
def test_ftk_check_works_without_django(tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text(GOOD)
    code, output = run_outside(tmp_path / "mybot.py", before="import sys; sys.modules['django'] = None\n")
    assert code == 0, output
    assert output.startswith("sandboxed as on a server: ")
