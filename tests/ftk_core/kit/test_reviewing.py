"""`ftk review` as it is typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ftk_core.kit.cli import app
from tests.support.reviews import log_of, write_log


def ftk(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, list(words))
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("logs") / "match.jsonl"
    assert ftk("play", "pig", "hold20", "random", "--log", str(path), "--jobs", "1")[0] == 0
    return path


def test_a_review_is_one_document(log: Path) -> None:
    code, said, error = ftk("review", str(log), "--playouts", "4", "--json")
    assert code == 0, error
    found: dict[str, Any] = json.loads(said)
    assert found["schema"] == "ftk.review/1"
    assert (found["policy"], found["playouts"], found["eyes"]) == ("quick", 4, "all")
    assert len(found["curve"]) == len(found["choices"]) + 2


def test_a_review_is_a_table_with_a_row_for_each_seat(log: Path) -> None:
    code, said, error = ftk("review", str(log), "--playouts", "4", "--seat", "1", "--policy", "hold20")
    assert code == 0, error
    assert "0 hold20" in said
    assert "1 random" in said
    assert "seat 1's choice cost" in said
    assert "4 playouts a choice by the policy 'hold20'" in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--seat", "2"], "the match has the seats 0 to 1"),
        (["--policy", "nosuch"], "'nosuch' is no policy for Pig"),
        (["--eyes", "mine"], "with the eyes all or public"),
        (["--match", "2"], "holds the matches 1 to 1"),
        (["--playouts", "1"], "--playouts"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(log: Path, words: list[str], says: str) -> None:
    code, _, error = ftk("review", str(log), *words)
    assert code == 2
    assert says in error.replace("\n", " ")


def test_an_unfinished_match_has_no_review(tmp_path: Path) -> None:
    cut = write_log(tmp_path / "cut.jsonl", log_of("pig")[:20])
    code, _, error = ftk("review", str(cut))
    assert code == 2
    assert "its seed is not revealed" in error.replace("\n", " ")
