"""The organiser's libraries, for bots that are tried."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np


def numpy_in(folder: Path) -> Path:
    """Lay numpy into a folder, as `pip install --target` does, where any user may read it; return the folder."""
    folder.chmod(0o755)
    for part in Path(np.__file__).parent.parent.glob("numpy*"):
        ignored = shutil.ignore_patterns("tests", "*.pyi", "include")
        if part.is_dir():
            shutil.copytree(part, folder / part.name, ignore=ignored)
    return folder
