"""Another version of our software: a copy of this tree in which the rules of one game have one more comment."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.fleet.hosts import ROOT
from tests.support.fleet.roles import Software

LEFT = (".git", ".venv", "node_modules", "var", "dist", "docs", "__pycache__", ".*_cache", "pictures", "golden")
ASK = "from ftk_core.games import build_of; print(build_of('pig'))"


def next_version(to: Path) -> Software:
    """Return a version with the same rules and another build."""
    shutil.copytree(ROOT, to, ignore=shutil.ignore_patterns(*LEFT), symlinks=True)
    rules = to / "ftk_core" / "games" / "pig" / "rules.py"
    rules.write_text(rules.read_text() + "# the same rules, in another version of the software\n")
    return Software(to)


def build(software: Software) -> str:
    """Return the build that a version writes into what it begins."""
    command = [sys.executable, "-c", ASK]
    return subprocess.run(command, cwd=software.folder, capture_output=True, text=True, check=True).stdout.strip()
