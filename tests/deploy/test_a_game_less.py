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
from ftk_core.kit.house import house_bots
print(*(name for name in shelf() if house_bots(name)))
"""
UI = Path("frontend/ui")


@pytest.mark.parametrize("name", sorted(shelf()))
def test_the_other_games_are_read_without_it(name: str, tmp_path: Path) -> None:
    shutil.copytree("ftk_core", tmp_path / "ftk_core", ignore=shutil.ignore_patterns(name, "__pycache__"))
    said = subprocess.run(
        [sys.executable, "-c", REST], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout.split() == sorted(set(shelf()) - {name})


def viewer_without_games(folder: Path) -> Path:
    """Copy the viewer with no game's folder and no game's tests; what it reads of the rest is linked."""
    bare = folder / UI
    shutil.copytree(UI, bare, ignore=shutil.ignore_patterns("games", "node_modules"))
    for path in (UI / "node_modules", "ftk_core", "tests"):
        (folder / path).symlink_to(Path(path).absolute())
    return bare


def test_the_viewer_stands_without_any_game(tmp_path: Path) -> None:
    bare = viewer_without_games(tmp_path)
    assert not list(bare.rglob("games"))
    node = subprocess.run([sys.executable, "deploy/node.py"], capture_output=True, text=True, check=True).stdout
    done = subprocess.run(
        ["npm", "test", "--silent"], cwd=bare, env={**os.environ, "PATH": f"{node}:{os.environ['PATH']}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
