"""The table that ``make chaos`` and ``make long`` print at their end."""

from __future__ import annotations

import re
import sys
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tests.support import step_table
from tests.support.step_table import Step, print_table, run_step, steps_of_make

PASSES = "def test_one(record_property):\n    record_property('pages back after seconds', '1.5')\n"
FAILS = "def test_one():\n    assert False\n"


def step_of(folder: Path, source: str) -> Step:
    file = folder / "test_made.py"
    file.write_text(source)
    line = f"{sys.executable} -m pytest -q -p no:django -c /dev/null --rootdir {folder} {file}"
    return run_step(line, folder / "report.xml")


@pytest.mark.parametrize(("target", "least"), [("chaos", 11), ("long", 3)])
def test_every_step_of_make_chaos_and_make_long_runs_existing_tests(target: str, least: int) -> None:
    lines = steps_of_make(target)
    assert len(lines) >= least
    paths = [word for line in lines for word in line.split() if word.startswith("tests/")]
    assert [path for path in paths if not Path(path).exists()] == []


@pytest.mark.parametrize("target", ["bench", "chaos", "database", "fleet", "long", "slow"])
def test_make_targets_that_start_a_server_in_a_fresh_clone_first_build_the_frontend(target: str) -> None:
    [rule] = re.findall(rf"^{target}: (.*?) ##", Path("Makefile").read_text(), re.MULTILINE)
    assert {"dev", "ui"} <= set(rule.split())


def test_command_line_options_reach_every_step_of_make_chaos() -> None:
    assert all(line.endswith("--lf") for line in steps_of_make("chaos", "ARGS=--lf"))


@pytest.mark.nightly
def test_the_summary_table_of_make_chaos_marks_failed_steps_and_shows_measured_values(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    passed, failed = step_of(tmp_path / "one", PASSES), step_of(tmp_path / "other", FAILS)
    assert (passed.failed, failed.failed) == (False, True)
    out = StringIO()
    print_table("chaos", [passed, failed], Console(file=out, width=180))
    assert out.getvalue().count("FAILED") == 1
    assert "test_one: pages back after seconds: 1.5" in out.getvalue()


def test_a_step_of_make_chaos_that_runs_no_test_counts_as_failed() -> None:
    assert Step("nothing", 0, 1.0).failed
    assert not Step("one", 0, 1.0, {"tests": 1}).failed


def test_an_interrupted_make_chaos_fails_after_printing_the_steps_that_ended(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run_first(line: str, _report: Path) -> Step:
        if line == "second":
            raise KeyboardInterrupt
        return Step(line, 0, 1.0, {"tests": 1})

    monkeypatch.setattr(step_table, "steps_of_make", lambda *_: ["first", "second"])
    monkeypatch.setattr(step_table, "run_step", run_first)
    assert step_table.main(["chaos"]) == 1
    assert "first" in capsys.readouterr().out
