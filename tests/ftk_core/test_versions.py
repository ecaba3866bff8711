"""Rules change, logs do not: whatever was played once is read and rerun by the rules it was played by."""

from __future__ import annotations

from pathlib import Path

import pytest

from ftk_core.filelog import dump, parse
from ftk_core.games import UnknownGame, game, shelf, versions
from ftk_core.kit.story import stories_of
from ftk_core.kit.verify import Unsound, verify_file, verify_lines
from ftk_core.log import MemoryLog
from tests.golden.write import path_of
from tests.support.older import OLD, older_match

TIE = path_of("to_court_the_king", 1, "tie", "jsonl")
"""Played when a claim still stood behind the same dice rolled after it."""


@pytest.mark.parametrize("name", shelf())
def test_no_version_of_a_game_is_lost(name: str) -> None:
    assert list(versions(name)) == list(range(1, game(name).version + 1))
    assert {row.name for row in versions(name).values()} == {name}


def test_a_version_that_is_not_on_the_shelf_is_named_with_those_that_are() -> None:
    assert (game("to_court_the_king").version, game("to_court_the_king", 1).version) == (2, 1)
    with pytest.raises(UnknownGame, match="no version 3 of 'to_court_the_king' here; known: 1, 2"):
        game("to_court_the_king", 3)
    with pytest.raises(UnknownGame, match="no game 'chess'"):
        game("chess", 1)


def test_the_log_of_an_earlier_version_verifies_where_the_rules_of_today_end_otherwise() -> None:
    assert verify_file(TIE).places == (1, 5, 2, 4, 3)
    lines = [line + b"\n" for page in parse(TIE.read_bytes().splitlines(keepends=True)) for line in page.lines]
    lines[0] = lines[0].replace(b'"version":1', b'"version":2')
    of_today = MemoryLog()
    of_today.append(lines, 0)
    with pytest.raises(Unsound, match=f"entry {len(lines) - 1} "):
        verify_lines(b"".join(dump(of_today.pages())).splitlines(keepends=True))


def test_verify_and_story_read_a_log_by_its_own_rules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    older, file = older_match(monkeypatch), tmp_path / "older.jsonl"
    file.write_bytes(b"".join(dump(older.pages())))
    assert verify_file(file).game == "pig"
    assert {said for story in stories_of(file, "en") for _, said in story[:-1]} == {OLD}
