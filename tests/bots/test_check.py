"""`ftk check` holds a bot as a server does, where the arena is installed beside the kit, and says how it was held."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bots.cage.inside.nobody import uids
from ftk_core.kit.cli import app
from tests.support.machine import have, held_tiers

MODES = (*held_tiers(), "none")
EVERYHOW = pytest.mark.parametrize("cage", MODES)
HELD = pytest.mark.parametrize("cage", held_tiers())
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
C = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    static char line[1 << 20];
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        if (id) printf("{\"id\": %d, \"choose\": 0}\n", atoi(id + 5));
    }
}
"""
FTK = "from ftk_core.kit.cli import app; app()"
STEPS = """
import sys
from bots.cage.inside.nobody import enter_namespace
enter_namespace()
"""
Check = Callable[..., tuple[int, str]]


def zipped(**files: str) -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return body.getvalue()


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Check a bot given by its content, with a folder of temporary files that is empty again afterwards."""
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))

    def run(body: str | bytes, *words: str, file: str = "mybot.py") -> tuple[int, str]:
        path = tmp_path / file
        path.write_bytes(body if isinstance(body, bytes) else body.encode())
        done = CliRunner().invoke(app, ["check", "pig", str(path), *words])
        assert list((tmp_path / "scratch").iterdir()) == []
        return done.exit_code, done.output

    return run


@HELD
def test_a_bot_that_is_after_the_authors_files_is_held(cage: str, check: Check, tmp_path: Path) -> None:
    (tmp_path / "diary").write_text("dear diary")
    curious = CURIOUS.format(path=str(tmp_path / "diary"))
    code, said = check(curious, "--cage", cage)
    assert code == 0, said
    assert said.startswith(f"held as on a server: {cage}\n")
    assert "Error" in said
    assert "dear diary" not in said


def test_without_a_cage_it_reads_them_and_that_is_said(check: Check, tmp_path: Path) -> None:
    (tmp_path / "diary").write_text("dear diary")
    code, said = check(CURIOUS.format(path=str(tmp_path / "diary")), "--cage", "none")
    assert code == 0, said
    assert said.startswith("not held: the bot ran with your rights (--cage none)\n")
    assert "note: dear diary" in said


def test_the_report_is_the_same_however_the_bot_is_held(check: Check) -> None:
    body = zipped(main_py=STUBBORN, book_txt="seven", bot_toml='command = "python main.py twice"')
    reports = set()
    for cage in MODES:
        code, said = check(body, "--cage", cage, file="mybot.zip")
        assert code == 1
        reports.add("\n".join(line for line in said.splitlines() if not line.startswith(("held", "not held"))))
    (report,) = reports
    for part in ("question 1: refused: choose is 7", "note: seven", "stderr:\nI shall roll twice", "would be refused"):
        assert part in report


@EVERYHOW
@pytest.mark.parametrize(
    ("file", "body", "why"),
    [
        ("empty.py", b"", "the file is empty"),
        ("rules.zip", b"PK nonsense", "cannot be read as a .zip archive"),
        ("ruby.zip", zipped(bot_rb="", bot_toml='command = "ruby bot.rb"'), "only .py, .js, .c, .h"),
        ("ruby.zip", zipped(bot_py="", bot_toml='command = "ruby bot.py"'), "the command must be one of"),
    ],
)
def test_an_upload_that_a_server_refuses_is_refused(cage: str, file: str, body: bytes, why: str, check: Check) -> None:
    code, said = check(body, "--cage", cage, file=file)
    assert code == 1
    assert f"{file} would be refused: " in said
    assert why in said


@pytest.mark.skipif(not have("bwrap", "cc"), reason="there is no compiler, or nothing to contain it")
@HELD
def test_a_bot_in_c_is_compiled_and_plays(cage: str, check: Check) -> None:
    code, said = check(zipped(bot_c=C, bot_toml='command = "c bot.c"'), "--cage", cage, file="c.zip")
    assert code == 0, said


@pytest.mark.skipif(not have("bwrap", "cc"), reason="there is no compiler, or nothing to contain it")
def test_a_source_that_does_not_compile_is_refused_with_the_compilers_words(check: Check) -> None:
    body = zipped(bot_c='#include "ask.h"\n', bot_toml='command = "c bot.c"')
    code, said = check(body, "--cage", held_tiers()[0], file="c.zip")
    assert code == 1
    assert "ask.h" in said
    assert "would be refused: it does not compile" in said


@pytest.mark.skipif(not have("cc"), reason="there is no compiler")
def test_what_has_to_be_compiled_is_compiled_with_the_authors_rights_too(check: Check) -> None:
    code, said = check(zipped(bot_c=C, bot_toml='command = "c bot.c"'), "--cage", "none", file="c.zip")
    assert code == 0, said
    assert "not held" in said
    code, said = check(zipped(bot_c="nonsense", bot_toml='command = "c bot.c"'), "--cage", "none", file="c.zip")
    assert code == 1
    assert "bot.c does not compile: bot.c:1:1: error:" in said


def test_where_there_is_no_compiler_it_is_said_what_to_install(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    code, said = check(zipped(bot_go="", bot_toml='command = "go bot.go"'), "--cage", "none", file="go.zip")
    assert code == 2
    assert "there is no Go compiler on this machine (go); Debian: apt install golang-go" in " ".join(said.split())


@HELD
def test_the_tier_that_the_environment_names_is_taken(cage: str, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_CAGE", cage)
    code, said = check(GOOD)
    assert code == 0
    assert said.startswith(f"held as on a server: {cage}\n")


def test_where_nothing_is_named_the_first_that_holds_is_taken(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOT_CAGE")
    assert check(GOOD)[1].startswith(f"held as on a server: {held_tiers()[0]}\n")


@pytest.mark.parametrize("named_by", ["the option", "the environment"])
def test_a_tier_that_does_not_hold_is_an_error_and_no_other_is_taken(
    named_by: str, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr("os.defpath", "/nonexistent")
    monkeypatch.setenv("BOT_CAGE", "bwrap")
    code, said = check(GOOD, *(["--cage", "bwrap"] if named_by == "the option" else []))
    assert code == 2
    assert ("--cage bwrap" if named_by == "the option" else "BOT_CAGE=bwrap") + " does not hold here" in said
    assert "apt install bubblewrap" in said
    assert "`--cage none`" in said
    assert "played" not in said


def test_a_tier_that_is_not_known_is_told_those_that_are(check: Check) -> None:
    code, said = check(GOOD, "--cage", "iron")
    assert code == 2
    assert "there is no cage 'iron'; it must be one of bwrap, forkserver, landlock" in said


def outside(file: Path, *words: str, before: str = "", launcher: tuple[str, ...] = ()) -> tuple[int, str]:
    """Check a bot from another process, which may first change what it is."""
    environment = {name: value for name, value in os.environ.items() if name not in ("BOT_CAGE", "PYTHONPATH")}
    command = [*launcher, sys.executable, "-c", before + FTK, "check", "pig", str(file), *words]
    done = subprocess.run(
        command, env={**environment, "PYTHONPATH": os.getcwd()}, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_where_no_tier_holds_no_bot_is_started(tmp_path: Path) -> None:
    mark, bot = tmp_path / "it-ran", tmp_path / "mybot.py"
    bot.write_text(f"open({str(mark)!r}, 'w')\n{GOOD}")
    code, said = outside(bot, before=STEPS)  # a process with capabilities is not fit to hold anybody
    assert code == 2, said
    assert "no cage holds here (bwrap: the worker holds capabilities" in said
    assert "`--cage none` runs the bot with your own rights" in said
    assert not mark.exists()


@pytest.mark.slow
@pytest.mark.skipif(held_tiers() == ("landlock",), reason="namespaces are forbidden here, and so is being root in one")
def test_root_becomes_nobody_before_it_holds_a_bot(tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text(GOOD)
    root = (
        f"from bots.cage.inside.nobody import enter_namespace\nenter_namespace(uids={uids() is not None}, called=0)\n"
    )
    code, said = outside(tmp_path / "mybot.py", before=root)
    assert code == 0, said
    assert said.startswith("held as on a server: ")


@pytest.mark.slow
def test_no_server_is_needed_for_it(tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text(GOOD)
    code, said = outside(tmp_path / "mybot.py", before="import sys; sys.modules['django'] = None\n")
    assert code == 0, said
    assert said.startswith("held as on a server: ")
