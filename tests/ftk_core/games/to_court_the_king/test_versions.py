"""Logs of an earlier version are read by the rules of that version."""

from __future__ import annotations

import pytest

from ftk_core.hash_chained_log import InMemoryLog
from ftk_core.kit.verify.match_log_verification import InvalidLogError, verify_lines, verify_matches
from ftk_core.match_log_file import dump_pages, parse_pages
from tests.golden.write import path_of

TIE = path_of("to_court_the_king", 1, "tie", "jsonl")
"""Log of a match from when a claim still ranked behind equal dice that were rolled later."""


def test_a_log_of_rules_version_1_passes_verification_but_fails_if_relabelled_as_version_2() -> None:
    assert next(verify_matches(TIE)).places == (1, 5, 2, 4, 3)
    lines = [line + b"\n" for page in parse_pages(TIE.read_bytes().splitlines(keepends=True)) for line in page.lines]
    lines[0] = lines[0].replace(b'"version":1', b'"version":2')
    of_today = InMemoryLog()
    of_today.append(lines, 0)
    with pytest.raises(InvalidLogError, match=f"entry {len(lines) - 1} "):
        verify_lines(b"".join(dump_pages(of_today.pages())).splitlines(keepends=True))
