"""Independence of the games: all tests and the viewer work with only the example game."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from ftk_core.games import list_games
from tests.support.sources import list_files

UI = Path("frontend/ui")
EXAMPLE = "pig"
"""The game that tests outside the folders of games play."""


def own_tests(name: str) -> list[Path]:
    """Return a game's own tests, their support modules, and its golden files."""
    golden = [path for path in Path("tests/golden").rglob("*.*") if path.name.startswith((f"{name}-", f"{name}-v"))]
    return [Path("tests/ftk_core/games", name), Path("tests/support/games", name), *golden]


def repository_without(names: set[str], folder: Path) -> None:
    """Copy the core and the tests without some games; link the other files that they need."""
    gone = {Path("ftk_core/games", name) for name in names} | {path for name in names for path in own_tests(name)}
    for path in list_files("ftk_core", "tests", "pyproject.toml"):
        if path.exists() and gone.isdisjoint((path, *path.parents)):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / path)
    for rest in {path.parts[0] for path in list_files()} - {path.name for path in folder.iterdir()}:
        (folder / rest).symlink_to(Path(rest).absolute())


def test_all_tests_can_be_collected_when_only_the_example_game_is_in_the_repository(tmp_path: Path) -> None:
    gone = set(list_games()) - {EXAMPLE}
    repository_without(gone, tmp_path)
    left = tmp_path / "ftk_core/games"
    assert sorted(path.name for path in left.iterdir() if path.is_dir()) == [EXAMPLE]
    git = subprocess.run(["git", "rev-parse", "--absolute-git-dir"], capture_output=True, text=True, check=True).stdout
    listing = {"GIT_DIR": git.strip(), "GIT_WORK_TREE": str(tmp_path)}  # for tests that list our files
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "tests"], cwd=tmp_path,
        env={**os.environ, **listing, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def viewer_without_games(folder: Path) -> Path:
    """Copy the viewer without any game; link the other files that it needs."""
    bare = folder / UI
    shutil.copytree(UI, bare, ignore=shutil.ignore_patterns("games", "node_modules"))
    for path in (UI / "node_modules", "ftk_core", "tests"):
        (folder / path).symlink_to(Path(path).absolute())
    return bare


def test_the_frontend_tests_of_the_viewer_pass_without_any_game(tmp_path: Path) -> None:
    bare = viewer_without_games(tmp_path)
    assert not list(bare.rglob("games"))
    node = subprocess.run(
        [sys.executable, "deploy/release/nodejs_finder.py"], capture_output=True, text=True, check=True
    ).stdout
    done = subprocess.run(
        ["npm", "test", "--silent"], cwd=bare, env={**os.environ, "PATH": f"{node}:{os.environ['PATH']}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
