"""Several matches in one file and several files on one command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftk_core.kit.cli import app


def ftk(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(words))
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three matches in one file."""
    path = tmp_path_factory.mktemp("logs") / "out.jsonl"
    code, said = ftk("play", "pig", "random", "hold20", "--games", "3", "--jobs", "1", "--log", str(path))
    assert code == 0, said
    return path


@pytest.mark.slow
def test_ftk_verify_checks_every_given_path_and_glob_pattern(log: Path, tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_bytes(log.read_bytes())
    code, said = ftk("verify", str(log), str(tmp_path / "*.jsonl"))
    assert code == 0, said
    assert said.count("3 matches") == 3
    assert said.count("ok: ") == 12
    assert all(f"ok: {tmp_path / name}: pig, " in said for name in ("a.jsonl", "b.jsonl"))
    assert ftk("verify", str(tmp_path / "*.nothing"))[0] == 2


@pytest.mark.slow
def test_ftk_verify_of_a_glob_pattern_names_each_file_beside_its_verdict(log: Path, tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_bytes(log.read_bytes())
    verdicts = [line for line in ftk("verify", str(tmp_path / "*.jsonl"))[1].splitlines() if line.startswith("ok: ")]
    assert [line.startswith(f"ok: {tmp_path / 'a.jsonl'}") for line in verdicts] == [True] * 4 + [False] * 4
    assert all(line.startswith(f"ok: {tmp_path / 'b.jsonl'}") for line in verdicts[4:])
    assert str(log) not in ftk("verify", str(log))[1].splitlines()[0], "one file needs no name"


def test_ftk_verify_refuses_a_public_key_argument_when_it_verifies_a_match_log(log: Path, tmp_path: Path) -> None:
    key = tmp_path / "key.pem"
    key.write_bytes(b"")
    code, said = ftk("verify", str(log), "--key", str(key))
    assert code == 2
    assert f"only exports of leagues are signed, and {log} is none" in said
    assert "ok:" not in said


def test_ftk_verify_reports_all_files_even_if_one_is_damaged(log: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if line.startswith(b'{"page":0,'))
    bad.write_bytes(b"".join([*lines[: last - 1], *lines[last:]]))
    code, said = ftk("verify", str(bad), str(log))
    assert code == 1
    assert "match 3 of 3: page 0" in said
    assert f"ok: {log}, 3 matches" in said


@pytest.mark.parametrize("cut", [1, 2, 40])
def test_ftk_verify_reports_a_truncated_file(log: Path, tmp_path: Path, cut: int) -> None:
    short = tmp_path / "short.jsonl"
    short.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-cut]))
    code, said = ftk("verify", str(short))
    assert code == 1, said
    assert re.search(r"match 2 of 2: page \d+ \(from entry \d+\) is cut off", said.replace("\n", " ")), said
    assert "Traceback" not in said


def test_ftk_play_checks_the_path_of_the_log_before_playing_a_match(tmp_path: Path) -> None:
    trace, bot = tmp_path / "trace", tmp_path / "bot.py"
    bot.write_text(f"open({str(trace)!r}, 'w').close()\n")
    code, said = ftk("play", "pig", str(bot), "random", "--log", str(tmp_path))
    assert code == 2
    assert "directory" in said
    assert not trace.exists()
    ftk("play", "pig", str(bot), "random", "--games", "1", "--jobs", "1", "--log", str(tmp_path / "log.jsonl"))
    assert trace.exists(), "a match starts the bot"
