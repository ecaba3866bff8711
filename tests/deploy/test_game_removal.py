"""Removal of a game: everything else works without the two folders and the tests of one game."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ftk_core.games import list_games

REST = """
from ftk_core.games import list_games
from ftk_core.kit.built_in_bots import list_built_in_bots
print(*(name for name in list_games() if list_built_in_bots(name)))
"""


@pytest.mark.parametrize("name", sorted(list_games()))
def test_all_other_games_load_when_the_folder_of_one_game_is_removed(name: str, tmp_path: Path) -> None:
    shutil.copytree("ftk_core", tmp_path / "ftk_core", ignore=shutil.ignore_patterns(name, "__pycache__"))
    said = subprocess.run(
        [sys.executable, "-c", REST], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout.split() == sorted(set(list_games()) - {name})
