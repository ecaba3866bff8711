"""The installed kit ships its types and metadata."""

from __future__ import annotations

import shutil
import subprocess
import sys
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

import ftk_core
from ftk_core.games import list_games, versions

pytestmark = pytest.mark.slow

ROOT = Path(ftk_core.__file__).parent.parent


def test_the_wheel_contains_type_information_and_game_rules_and_the_name_of_its_maintainers(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "ftk_core", tmp_path / "ftk_core", ignore=shutil.ignore_patterns("__pycache__"))
    build = "from setuptools.build_meta import build_wheel; build_wheel('out')"
    subprocess.run([sys.executable, "-c", build], cwd=tmp_path, check=True, capture_output=True)
    with ZipFile(next((tmp_path / "out").glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
        told = message_from_bytes(wheel.read(next(name for name in names if name.endswith("/METADATA"))))
    assert {"ftk_core/py.typed", *(f"ftk_core/games/{game}/RULES.md" for game in list_games())} <= names
    catalogues = {str(file.relative_to(ROOT)) for file in (ROOT / "ftk_core").rglob("*.mo")}
    assert {"ftk_core/languages.json", *catalogues} <= names
    assert {f"ftk_core/games/{game}/legacy_rules.py" for game in list_games() if len(versions(game)) > 1} <= names
    assert {"ftk_core/native/src/api.cpp", "ftk_core/native/src/games/for_the_king/rules.hpp"} <= names
    assert told["Author"] == "The maintainers of the For the King arena"
    assert "Typing :: Typed" in told.get_all("Classifier", [])
