"""Files of this repository, for tests that read them."""

from __future__ import annotations

import subprocess
from pathlib import Path

FOLDERS = ("bots", "foundation", "deploy", "frontend", "ftk_core", "notices", "replays", "tests", "tournaments")
HOSTILE = ("tests", "hostile", "bots")
"""Hostile bots, which need not follow the style or even be Python."""


def list_files(*patterns: str) -> list[Path]:
    """Return the files in these folders that git tracks or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [Path(line) for line in said.splitlines()]


def list_python_modules() -> list[Path]:
    """Return the paths of our modules."""
    paths = list_files("*.py")
    return sorted(
        p
        for p in paths
        if p.exists() and p.parts[0] in FOLDERS and "migrations" not in p.parts and p.parts[:3] != HOSTILE
    )
