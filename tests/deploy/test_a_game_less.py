"""A game is taken away by deleting its two folders and its tests: all else stands without it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ftk_core.games import shelf

REST = """
from ftk_core.games import shelf
from tests.support.sources import files
from ftk_core.kit.house import house_bots
print(*(name for name in shelf() if house_bots(name)))
"""


@pytest.mark.parametrize("name", sorted(shelf()))
def test_the_other_games_are_read_without_it(name: str, tmp_path: Path) -> None:
    shutil.copytree("ftk_core", tmp_path / "ftk_core", ignore=shutil.ignore_patterns(name, "__pycache__"))
    said = subprocess.run(
        [sys.executable, "-c", REST], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout.split() == sorted(set(shelf()) - {name})
