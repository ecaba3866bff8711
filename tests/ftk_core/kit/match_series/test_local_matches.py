"""Matches on this machine: names of bots, their faults, and files that are no bots."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftk_core.kit.cli import app
from ftk_core.kit.match_series.local_matches import names_of

DEAD_BOT = "import sys\nsys.exit(3)\n"


def test_the_fault_count_of_a_bot_that_exits_early_equals_the_number_of_its_choices_made_by_default_in_the_log(
    tmp_path: Path,
) -> None:
    (tmp_path / "dead.py").write_text(DEAD_BOT)
    words = ["play", "pig", str(tmp_path / "dead.py"), "hold20", "--json", "--log", str(tmp_path / "log.jsonl")]
    report = json.loads(CliRunner().invoke(app, words).stdout)
    faults = {line["bot"]: line["faults"] for line in report["bots"]}
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    excused = Counter(line["seat"] for line in lines if line.get("excuse"))
    assert faults == {"dead": excused[0], "hold20": 0}
    assert excused[0] > 1


def test_a_bot_is_named_after_its_whole_folder_name_including_dots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("v1.2", "v1.3"):
        (tmp_path / name).mkdir()
    (tmp_path / "v1.3/bot.py").touch()
    assert names_of([str(tmp_path / "v1.2"), str(tmp_path / "v1.3/bot.py")]) == ("v1.2", "v1.3")
    monkeypatch.chdir(tmp_path / "v1.2")
    assert names_of([".", "random"]) == ("v1.2", "random")


@pytest.mark.parametrize("name", ["bot.zip", "README.md", "bot"])
def test_a_bot_file_with_an_unknown_suffix_is_refused_before_the_match(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("not a program")
    done = CliRunner().invoke(app, ["play", "pig", str(tmp_path / name), "hold20"])
    assert done.exit_code == 2
    assert f"{name} is not a source file of a bot (.py, .js, " in done.stderr.replace("\n", "")
