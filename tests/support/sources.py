"""The files of this repository, for tests that read them."""

from __future__ import annotations

import subprocess
from pathlib import Path

FOLDERS = ("bots", "foundation", "deploy", "frontend", "ftk_core", "notices", "replays", "tests", "tournaments")
HOSTILE = ("tests", "hostile", "bots")
"""What attacks the cage looks as it likes, and need not be Python."""


def files(*patterns: str) -> list[Path]:
    """Return what git has of these, or would take."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [Path(line) for line in said.splitlines()]


def listed() -> list[Path]:
    """Return our modules."""
    paths = files("*.py")
    return sorted(
        p
        for p in paths
        if p.exists() and p.parts[0] in FOLDERS and "migrations" not in p.parts and p.parts[:3] != HOSTILE
    )
