"""All tests, and the viewer, stand without any game but the example that they play."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from ftk_core.games import shelf
from tests.support.sources import files

UI = Path("frontend/ui")
EXAMPLE = "pig"
"""The game that the tests of everything else play."""


def own_tests(name: str) -> list[Path]:
    """Return a game's own tests, what they are given, and its golden files."""
    golden = [path for path in Path("tests/golden").rglob("*.*") if path.name.startswith((f"{name}-", f"{name}-v"))]
    return [Path("tests/ftk_core/games", name), Path("tests/support/games", name), *golden]


def repository_without(names: set[str], folder: Path) -> None:
    """Copy the core and the tests without some games and their tests; what they need of the rest is linked."""
    gone = {Path("ftk_core/games", name) for name in names} | {path for name in names for path in own_tests(name)}
    for path in files("ftk_core", "tests", "pyproject.toml"):
        if path.exists() and gone.isdisjoint((path, *path.parents)):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / path)
    for rest in {path.parts[0] for path in files()} - {path.name for path in folder.iterdir()}:
        (folder / rest).symlink_to(Path(rest).absolute())


def test_the_other_tests_are_found_without_any_game_but_the_example(tmp_path: Path) -> None:
    gone = set(shelf()) - {EXAMPLE}
    repository_without(gone, tmp_path)
    left = tmp_path / "ftk_core/games"
    assert sorted(path.name for path in left.iterdir() if path.is_dir()) == [EXAMPLE]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "tests"], cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


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
