"""Rules change, logs do not: whatever was played once is read and rerun by the rules it was played by."""

from __future__ import annotations

from pathlib import Path

import pytest

from ftk_core.filelog import dump
from ftk_core.games import UnknownGame, game, shelf, versions
from ftk_core.kit.story import stories_of
from ftk_core.kit.verify import verify_file
from tests.support.older import OLD, older_match


@pytest.mark.parametrize("name", shelf())
def test_no_version_of_a_game_is_lost(name: str) -> None:
    assert list(versions(name)) == list(range(1, game(name).version + 1))
    assert {row.name for row in versions(name).values()} == {name}


@pytest.mark.parametrize("name", shelf())
def test_a_version_that_is_not_on_the_shelf_is_named_with_those_that_are(name: str) -> None:
    wanted, known = game(name).version + 1, ", ".join(map(str, versions(name)))
    with pytest.raises(UnknownGame, match=f"no version {wanted} of '{name}' here; known: {known}$"):
        game(name, wanted)
    with pytest.raises(UnknownGame, match="no game 'chess'"):
        game("chess", 1)


def test_verify_and_story_read_a_log_by_its_own_rules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    older, file = older_match(monkeypatch), tmp_path / "older.jsonl"
    file.write_bytes(b"".join(dump(older.pages())))
    assert verify_file(file).game == "pig"
    assert {said for story in stories_of(file, "en") for _, said in story[:-1]} == {OLD}
