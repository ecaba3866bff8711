"""What was played by the rules of before is read by them, where those of today would end otherwise."""

from __future__ import annotations

import pytest

from ftk_core.filelog import dump, parse
from ftk_core.kit.verify import Unsound, verify_file, verify_lines
from ftk_core.log import MemoryLog
from tests.golden.write import path_of

TIE = path_of("to_court_the_king", 1, "tie", "jsonl")
"""Played when a claim still stood behind the same dice rolled after it."""


def test_the_log_of_an_earlier_version_verifies_where_the_rules_of_today_end_otherwise() -> None:
    assert verify_file(TIE).places == (1, 5, 2, 4, 3)
    lines = [line + b"\n" for page in parse(TIE.read_bytes().splitlines(keepends=True)) for line in page.lines]
    lines[0] = lines[0].replace(b'"version":1', b'"version":2')
    of_today = MemoryLog()
    of_today.append(lines, 0)
    with pytest.raises(Unsound, match=f"entry {len(lines) - 1} "):
        verify_lines(b"".join(dump(of_today.pages())).splitlines(keepends=True))
