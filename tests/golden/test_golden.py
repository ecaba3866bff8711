"""Old logs stay as they were: they verify, rerun to the same bytes, and read as they did."""

from __future__ import annotations

import pytest

from ftk_core.kit.verify import verify_file
from ftk_core.kit.verify_league import verify_export
from tests.golden.write import EVERY, FOLDER, path_of, transcript


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_the_golden_log_folds_and_reruns(name: str, seats: int) -> None:
    verdict = verify_file(path_of(name, seats, "jsonl"))
    assert (verdict.game, len(verdict.players)) == (name, seats)


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_the_golden_log_reads_as_it_did(name: str, seats: int) -> None:
    assert transcript(path_of(name, seats, "jsonl").read_bytes()) == path_of(name, seats, "txt").read_text()


def test_no_golden_file_is_missing_or_left_over() -> None:
    expected = {path_of(name, seats, suffix).name for name, seats in EVERY for suffix in ("txt", "jsonl")}
    assert {path.name for path in FOLDER.iterdir() if path.suffix in (".txt", ".jsonl")} == expected


def test_a_league_that_was_exported_once_verifies_for_ever() -> None:
    report = verify_export(FOLDER / "league", (FOLDER / "league" / "key.pem").read_bytes())
    assert report.flaws == ()
    assert report.summary == "night, a league of pig: 3 bots, 2 rounds, 2 matches"
