"""Old logs stay as they were: the same seed plays the same match, and what was written still folds and verifies."""

from __future__ import annotations

import pytest

from ftk_core.kit.verify import verify_file
from tests.golden.write import EVERY, FOLDER, path_of, transcript


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_the_golden_match_is_played_as_it_was_written(name: str, seats: int) -> None:
    assert transcript(name, seats) == path_of(name, seats, "txt").read_text()


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_the_golden_log_still_verifies(name: str, seats: int) -> None:
    verdict = verify_file(path_of(name, seats, "jsonl"))
    assert (verdict.game, len(verdict.players)) == (name, seats)


def test_no_golden_file_is_missing_or_left_over() -> None:
    expected = {path_of(name, seats, suffix).name for name, seats in EVERY for suffix in ("txt", "jsonl")}
    assert {path.name for path in FOLDER.iterdir() if path.suffix in (".txt", ".jsonl")} == expected
