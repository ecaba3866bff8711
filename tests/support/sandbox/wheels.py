"""Installed libraries for bots, as an organiser provides them."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np


def numpy_in(folder: Path) -> Path:
    """Install numpy into a folder like `pip install --target`, readable for any user; return the folder."""
    folder.chmod(0o755)
    for part in Path(np.__file__).parent.parent.glob("numpy*"):
        ignored = shutil.ignore_patterns("tests", "*.pyi", "include")
        if part.is_dir():
            shutil.copytree(part, folder / part.name, ignore=ignored)
    return folder
