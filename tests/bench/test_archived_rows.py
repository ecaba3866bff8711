"""Bytes that an archived match leaves in the database forever, table by table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bucket import use_archive
from tools.bench.archived_match_size import measure_stored_bytes_by_table
from tools.bench.workload_speed_comparison import BenchmarkResult

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 20
WANTED_BYTES = 500
MAX_BYTES = 1_350
"""Maximum bytes per match. Rows of matches and seats stay in the database; docs/decisions/0069 gives the reasons."""


def test_an_archived_match_leaves_few_bytes_in_the_database(tmp_path: Path, figures: list[BenchmarkResult]) -> None:
    with use_archive(str(tmp_path / "archive")):
        kept, matches = measure_stored_bytes_by_table("pig", 2, ROUNDS)
    for name, (rows, indexes) in sorted(kept.items(), key=lambda item: -sum(item[1])):
        if whole := rows + indexes:
            figures.append(BenchmarkResult(f"{name}, bytes a match", whole, rows, whole / (rows or 1), "its rows", ""))
    total = sum(map(sum, kept.values()))
    title = f"all that stays of an archived match of Pig ({matches} of them), bytes"
    figures.append(BenchmarkResult(title, total, WANTED_BYTES, total / WANTED_BYTES, "wanted", "<= 1"))
    assert total <= MAX_BYTES
