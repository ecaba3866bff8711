"""`ftk check`, which reports on a local bot like the server."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftk_core.kit.cli import app
from ftk_core.kit.uploads.upload_limits import UPLOAD
from tests.support.machine import has_programs

GOOD = "from ftk_core.kit.bot import run\nrun(lambda ask: 0)\n"
MUTE = """
import json, sys
asked = 0
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] == "ask":
        asked += 1
        if asked == 1:
            print(json.dumps({"id": ask["id"], "choose": 0}), flush=True)
"""
"""Bot that answers only its first question."""

CHATTY = """
from ftk_core.kit.bot import run

def choose(ask):
    ask.note = "me!"
    return 7 if ask.id == 1 else len(ask.menu) - 1 if ask.view["gathered"] < 8 else 0

run(choose)
"""


def check(tmp_path: Path, source: str, *words: str, file: str = "mybot.py", game: str = "pig") -> tuple[int, str]:
    (tmp_path / file).write_text(source)
    done = CliRunner().invoke(app, ["check", game, str(tmp_path / file), *words])
    return done.exit_code, done.output


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--seats", "4")])
def test_ftk_check_prints_the_final_rank_of_a_bot_that_plays_the_match_to_the_end(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    code, said = check(tmp_path, GOOD, *words)
    assert code == 0, said
    seats = int(words[1]) if words else 2
    (place,) = re.findall(rf"played to the end, place (\d+) of {seats}\n", said)
    assert 1 <= int(place) <= seats


@pytest.mark.slow
def test_ftk_check_prints_a_repeated_fault_once_and_by_default_only_three_notes(tmp_path: Path) -> None:
    code, said = check(tmp_path, CHATTY)
    assert code == 0
    assert said.count("question 1: refused") == 1
    assert (said.count(" note: "), "more notes; --notes prints them" in said) == (3, True)
    _, said = check(tmp_path, CHATTY, "--notes")
    assert said.count(" note: ") > 3
    assert "more notes" not in said


@pytest.mark.slow
def test_ftk_check_explains_that_a_bot_without_a_call_of_run_ends_too_early(tmp_path: Path) -> None:
    code, said = check(tmp_path, "def choose(ask):\n    return 0\n")
    assert code == 1
    assert "it ended before it answered: a bot reads questions until its input ends, as run(choose) does" in said
    assert "run(choose)" not in check(tmp_path, "raise KeyError('crown')\n")[1]


@pytest.mark.parametrize(
    ("source", "remedy"),
    [
        ("import numppy", "use a library of the arena"),
        ("import threading\nthreading.Thread(target=int).start()", "the sandbox refused it"),
        ("open('weights.json')", "the file is not in the sandbox"),
        ("x = bytearray(1 << 30)", "a bot may use 256 MiB"),
        ("while True: print(input() and 'roll', flush=True)", "write only answers to standard output"),
    ],
)
def test_ftk_check_names_the_remedy_for_a_frequent_fault(tmp_path: Path, source: str, remedy: str) -> None:
    code, said = check(tmp_path, source, "--sandbox", "hooks")
    assert code == 1
    assert remedy in " ".join(said.split())


@pytest.mark.parametrize(
    ("words", "file", "code", "why"),
    [
        (("--seats", "99"), "mybot.py", 2, "is played by"),
        ((), "nothing/here.py", 2, "neither a file nor a built-in bot"),
        ((), "empty.py", 1, "the file is empty"),
        ((), "tables.csv", 1, "neither a .py file nor a .zip"),
        ((), "folder", 1, "no bot.py at the top"),
    ],
)
def test_ftk_check_refuses_invalid_arguments_with_the_reason(
    tmp_path: Path, words: tuple[str, ...], file: str, code: int, why: str
) -> None:
    (tmp_path / "mybot.py").write_text(GOOD)
    (tmp_path / "empty.py").touch()
    (tmp_path / "tables.csv").write_text("1,2")
    (tmp_path / "folder").mkdir()
    done = CliRunner().invoke(app, ["check", "pig", str(tmp_path / file), *words])
    assert done.exit_code == code
    assert why in done.output
    if code == 1:
        done = CliRunner().invoke(app, ["check", "pig", str(tmp_path / file), *words, "--json"])
        report = json.loads(done.stdout)
        assert (done.exit_code, report["passed"], why in report["reason"]) == (1, False, True)


def test_ftk_check_says_that_an_arena_may_have_another_limit_for_data_files(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(GOOD)
    (tmp_path / "weights.bin").write_bytes(bytes(UPLOAD.data_bytes + 1))
    done = CliRunner().invoke(app, ["check", "pig", str(tmp_path)])
    assert done.exit_code == 1
    assert "more than 8388608 bytes" in done.output
    assert "(the organiser of an arena may set another limit)" in " ".join(done.output.split())


def test_ftk_check_reports_a_compile_error_with_its_line(tmp_path: Path) -> None:
    code, said = check(tmp_path, "import sys\nwhile True\n    pass\n")
    assert code == 1
    assert 'bot.py", line 2' in said
    assert "SyntaxError: expected ':'" in said
    assert "would be refused: it does not compile" in said
    assert "played" not in said
    assert "place" not in said


def test_ftk_check_imitates_the_sandbox_if_the_server_package_is_missing_and_names_skipped_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ftk_core.kit.bot_sandboxing.entry_points", lambda group: ())
    code, said = check(tmp_path, GOOD)
    assert code == 0, said
    assert said.startswith("imitated: there is no sandbox here")
    assert "not tried here: system calls of C code (ctypes)" in said
    code, said = check(tmp_path, "import msgspec\n" + GOOD)
    assert code == 1
    assert "ModuleNotFoundError: No module named 'msgspec'" in said
    assert 'File "/bot/bot.py", line 1' in said


@pytest.mark.slow
def test_a_bot_that_starts_too_slowly_for_its_first_question_is_refused(tmp_path: Path) -> None:
    code, said = check(tmp_path, "import sys\nfor line in sys.stdin: pass\n", "--sandbox", "hooks")
    assert code == 1
    assert "question 1: late: asleep for 7000 ms" in said
    assert "would be refused: no answer to the first question in time: it slept or waited" in " ".join(said.split())


@pytest.mark.slow
def test_ftk_check_stops_asking_a_bot_after_three_timeouts_and_reports_each_timeout_immediately(tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text(MUTE)
    done = CliRunner().invoke(app, ["check", "for_the_king", str(tmp_path / "mybot.py"), "--sandbox", "none"])
    assert done.exit_code == 1
    before, _, report = done.output.partition("stopped at question")
    assert before.count("late: asleep for") == 3, "each at once"
    assert report
    assert "late: asleep for" not in report, "not again in the report"
    assert "place" not in done.output


@pytest.mark.slow
@pytest.mark.skipif(not has_programs("node"), reason="there is no node")
def test_a_javascript_bot_is_started_by_node(tmp_path: Path) -> None:
    source = """
    require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const ask = JSON.parse(line);
      if (ask.type === "ask") console.log(JSON.stringify({ id: ask.id, choose: 0 }));
    });
    """
    (tmp_path / "bot.toml").write_text('command = "node mybot.js"')
    (tmp_path / "mybot.js").write_text(source)
    done = CliRunner().invoke(app, ["check", "pig", str(tmp_path)])
    assert done.exit_code == 0, done.output


def test_ftk_check_prints_the_error_of_a_crashed_bot_unchanged_and_no_ranking(tmp_path: Path) -> None:
    code, said = check(tmp_path, "raise KeyError('[/red] [bold] a:end:b')\n")
    assert code == 1
    assert "crashed at question 1" in said
    assert "KeyError: '[/red] [bold] a:end:b'" in said
    assert "place" not in said


def test_a_missing_temporary_folder_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    code, said = check(tmp_path, GOOD)
    assert code == 2
    assert "No such file or directory" in said
    assert "nowhere" in said
