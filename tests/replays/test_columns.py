"""The text and the columns of a log give its lines back, whatever is in them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replays.blocks.columns import NAMES, put_together, take_apart

NUMBERS = st.integers(0, 2**40) | st.integers(-3, 3) | st.none()
FIELDS = st.dictionaries(st.sampled_from([name.decode() for name in NAMES]), NUMBERS)
LINES = st.lists(st.tuples(FIELDS, st.text() | st.just('"seq":7,') | st.just('"wall_us":}')), max_size=12)


@pytest.mark.parametrize("file", sorted(Path("tests/golden").glob("*.jsonl")), ids=lambda file: file.stem)
def test_what_was_once_played_comes_back(file: Path) -> None:
    body = file.read_bytes()
    text, columns = take_apart(body)
    assert put_together(text, columns) == body
    assert b'"seq":,' in text


@given(LINES)
def test_any_lines_come_back(lines: list[tuple[dict[str, int | None], str]]) -> None:
    body = b"".join(msgspec.json.encode({**fields, "note": note}) + b"\n" for fields, note in lines)
    assert put_together(*take_apart(body)) == body


def test_numbers_that_fit_no_text_are_refused() -> None:
    text, columns = take_apart(b'{"seq":0}\n{"seq":1}\n')
    with pytest.raises(ValueError, match="4 bytes of numbers for 2 gaps"):
        put_together(text, columns[:4])
