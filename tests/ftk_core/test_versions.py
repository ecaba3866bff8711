"""Logs of old versions are read and rerun by the rules of their version."""

from __future__ import annotations

from pathlib import Path

import pytest

from ftk_core.games import UnknownGameError, game, list_games, versions
from ftk_core.kit.match_log_narration import narrate_matches
from ftk_core.kit.verify.match_log_verification import verify_matches
from ftk_core.match_log_file import dump_pages
from tests.support.older_rules import OLD_SENTENCE, register_older_rules


@pytest.mark.parametrize("name", list_games())
def test_every_version_of_the_rules_of_a_game_is_available(name: str) -> None:
    assert list(versions(name)) == list(range(1, game(name).version + 1))
    assert {row.name for row in versions(name).values()} == {name}


@pytest.mark.parametrize("name", list_games())
def test_an_unknown_rules_version_is_reported_with_the_known_versions(name: str) -> None:
    wanted, known = game(name).version + 1, ", ".join(map(str, versions(name)))
    with pytest.raises(UnknownGameError, match=f"no version {wanted} of '{name}' here; known: {known}$"):
        game(name, wanted)
    with pytest.raises(UnknownGameError, match="no game 'chess'"):
        game("chess", 1)


def test_ftk_verify_and_ftk_story_read_a_log_by_the_rules_version_in_the_log(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    older, file = register_older_rules(monkeypatch), tmp_path / "older.jsonl"
    file.write_bytes(b"".join(dump_pages(older.pages())))
    assert next(verify_matches(file)).game == "pig"
    assert {said for story in narrate_matches(file, "en") for _, said in story[:-1]} == {OLD_SENTENCE}
