"""Columns of a log: text and columns together give the original lines."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, strategies as st

from replays.archive.columnar_log_encoding import NAMES, join_columns, split_columns

NUMBERS = st.integers(0, 2**40) | st.integers(-3, 3) | st.none()
FIELDS = st.dictionaries(st.sampled_from([name.decode() for name in NAMES]), NUMBERS)
LINES = st.lists(st.tuples(FIELDS, st.text() | st.just('"seq":7,') | st.just('"wall_us":}')), max_size=12)


@pytest.mark.parametrize("file", sorted(Path("tests/golden").glob("*.jsonl")), ids=lambda file: file.stem)
def test_golden_logs_are_unchanged_by_encoding_in_columns_and_decoding(file: Path) -> None:
    body = file.read_bytes()
    text, columns = split_columns(body)
    assert join_columns(text, columns) == body
    assert b'"seq":,' in text


@pytest.mark.slow
@given(LINES)
def test_random_log_lines_are_unchanged_by_encoding_in_columns_and_decoding(
    lines: list[tuple[dict[str, int | None], str]],
) -> None:
    body = b"".join(msgspec.json.encode({**fields, "note": note}) + b"\n" for fields, note in lines)
    assert join_columns(*split_columns(body)) == body


def test_column_decoding_refuses_data_with_fewer_numbers_than_placeholders_in_the_text() -> None:
    text, columns = split_columns(b'{"seq":0}\n{"seq":1}\n')
    with pytest.raises(ValueError, match="4 bytes of numbers for 2 gaps"):
        join_columns(text, columns[:4])
