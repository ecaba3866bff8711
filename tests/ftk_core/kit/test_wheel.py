"""The kit as it is installed: with its types, and saying what it is."""

from __future__ import annotations

import shutil
import subprocess
import sys
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

import ftk_core
from ftk_core.games import shelf, versions

ROOT = Path(ftk_core.__file__).parent.parent


@pytest.mark.slow
def test_the_wheel_ships_its_types_and_rules_and_names_its_maintainers(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "ftk_core", tmp_path / "ftk_core", ignore=shutil.ignore_patterns("__pycache__"))
    build = "from setuptools.build_meta import build_wheel; build_wheel('out')"
    subprocess.run([sys.executable, "-c", build], cwd=tmp_path, check=True, capture_output=True)
    with ZipFile(next((tmp_path / "out").glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
        told = message_from_bytes(wheel.read(next(name for name in names if name.endswith("/METADATA"))))
    assert {"ftk_core/py.typed", *(f"ftk_core/games/{game}/RULES.md" for game in shelf())} <= names
    assert {f"ftk_core/games/{game}/past.py" for game in shelf() if len(versions(game)) > 1} <= names
    assert told["Author"] == "The maintainers of the For the King arena"
    assert "Typing :: Typed" in told.get_all("Classifier", [])
