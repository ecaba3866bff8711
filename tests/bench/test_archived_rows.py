"""How many bytes a match leaves in the database for ever once it is in the archive, table by table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench.archived_rows import measure_kept
from tests.support.bench.windows import Figure
from tests.support.bucket import archive_at

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 20
WANTED_BYTES = 500
MAX_BYTES = 1_350
"""Rows of matches and seats are still in the database: docs/decisions/0069 says what they would need to leave it."""


def test_bytes_that_an_archived_match_leaves(tmp_path: Path, figures: list[Figure]) -> None:
    with archive_at(str(tmp_path / "archive")):
        kept, matches = measure_kept("pig", 2, ROUNDS)
    for name, (rows, indexes) in sorted(kept.items(), key=lambda item: -sum(item[1])):
        if whole := rows + indexes:
            figures.append(Figure(f"{name}, bytes a match", whole, rows, whole / (rows or 1), "its rows", ""))
    total = sum(map(sum, kept.values()))
    title = f"all that stays of an archived match of Pig ({matches} of them), bytes"
    figures.append(Figure(title, total, WANTED_BYTES, total / WANTED_BYTES, "wanted", "<= 1"))
    assert total <= MAX_BYTES
