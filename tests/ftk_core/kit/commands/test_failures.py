"""Output of commands on a busy machine, for a refused bot, and for bots that print brackets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftk_core.kit.cli import app
from ftk_core.kit.commands import upload_and_league_entry
from ftk_core.kit.match_series import local_matches
from ftk_core.players import HostOverloadError


def test_ftk_play_prints_one_line_if_the_machine_is_too_busy_to_measure_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise HostOverloadError("it had no processor for 20 s")

    monkeypatch.setattr(local_matches, "play_one", fail)
    run = CliRunner().invoke(app, ["play", "pig", "random", "random", "--jobs", "1"])
    assert run.exit_code == 3
    start, *lines = run.stderr.splitlines()
    assert start.startswith("1 matches, ")
    assert lines == ["this machine is too busy to judge a bot, try again: it had no processor for 20 s"]


@pytest.mark.parametrize(
    ("command", "function"),
    [
        (("check", "pig", "random"), "bot_check_command.check_bot"),
        (("rerun", "log", "--bot", "random"), "rerun.read_questions"),
        (("whatif", "log", "--at", "3"), "whatif.read_match"),
    ],
)
def test_commands_give_no_verdict_and_exit_with_3_if_the_machine_is_too_busy(
    command: tuple[str, ...], function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise HostOverloadError("it had no processor for 20 s")

    monkeypatch.setattr(f"ftk_core.kit.commands.{function}", fail)
    run = CliRunner().invoke(app, command)
    assert (run.exit_code, "too busy to judge a bot" in run.stderr) == (3, True), run.stderr


def test_the_json_output_of_an_upload_that_the_server_refuses_is_one_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = {"status": "refused", "number": 1, "digest": "0" * 64, "reason": "it crashed", "trial_log": "Traceback"}
    fields = dict.fromkeys(upload_and_league_entry.VERDICT_FIELDS, "") | refused
    monkeypatch.setattr(upload_and_league_entry, "upload_bot", lambda *_: fields | {"version": 1})
    (tmp_path / "bot.py").write_text("print()")
    words = [
        "upload",
        "pig",
        str(tmp_path / "bot.py"),
        "--bot",
        "ada",
        "--server",
        "http://127.0.0.1:9",
        "--token",
        "t" * 48,
    ]
    run = CliRunner().invoke(app, [*words, "--json"])
    assert run.exit_code == 1, run.stderr
    assert json.loads(run.stdout)["status"] == "refused"
    assert "Traceback" in CliRunner().invoke(app, words).stdout


@pytest.mark.slow
def test_brackets_in_the_output_of_a_bot_are_printed_as_they_are(tmp_path: Path) -> None:
    bot = tmp_path / "bracket.py"
    talk = "    if ask.id > 2:\n        print('[/x] oops', flush=True)\n"
    bot.write_text(f"from ftk_core.kit.bot import run\ndef choose(ask):\n{talk}    return 0\nrun(choose)\n")
    log = tmp_path / "match.jsonl"
    assert CliRunner().invoke(app, ["play", "pig", "random", "random", "--log", str(log)]).exit_code == 0
    run = CliRunner().invoke(app, ["rerun", str(log), "--bot", str(bot), "--seat", "0"])
    assert run.exit_code == 1, run.exception
    assert "[/x]" in run.stdout


def test_a_series_refuses_the_same_file_as_its_match_log_and_its_resume_record(tmp_path: Path) -> None:
    file = str(tmp_path / "same")
    run = CliRunner().invoke(app, ["play", "pig", "random", "random", "--log", file, "--resume", file])
    assert run.exit_code == 2
    assert "must name two files" in " ".join(run.stderr.split())


RUN = "from ftk_core.kit.cli import app; app()"


def run_ftk(*words: str, shell: str = 'exec "$@"', **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `ftk` through a shell command, in which ``"$@"`` stands for the command line."""
    command = ["sh", "-c", shell, "sh", sys.executable, "-c", RUN, *words]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_ftk_mcp_with_a_closed_standard_stream_ends_with_one_line(closed: str) -> None:
    done = run_ftk("mcp", shell=f'exec "$@" {closed}')
    assert done.returncode == 2
    assert done.stderr.splitlines() == ["ftk mcp talks over standard input and output, and one of them is closed"]


@pytest.mark.slow
def test_characters_that_the_encoding_of_the_output_lacks_are_replaced() -> None:
    done = run_ftk("games", LANG="zh_TW.UTF-8", PYTHONIOENCODING="latin-1")
    assert done.returncode == 0, done.stderr
    assert "?" in done.stdout
