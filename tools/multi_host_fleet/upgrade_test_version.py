"""Copy of this software with another version, to test upgrades between the two."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tools.multi_host_fleet.fleet_processes import SoftwareVersion
from tools.multi_host_fleet.simulated_hosts import ROOT

LEFT = (".git", ".venv", "node_modules", "var", "dist", "docs", "__pycache__", ".*_cache", "pictures", "golden")
ASK = "from ftk_core.games import build_of; print(build_of('pig'))"


def create_next_version(to: Path) -> SoftwareVersion:
    """Copy the source tree into a folder, and change its build identifier."""
    # A comment in the rules of a game is enough for that.
    shutil.copytree(ROOT, to, ignore=shutil.ignore_patterns(*LEFT), symlinks=True)
    rules = to / "ftk_core" / "games" / "pig" / "rules.py"
    rules.write_text(rules.read_text() + "# the same rules, in another version of the software\n")
    return SoftwareVersion(to)


def read_build(software: SoftwareVersion) -> str:
    """Return the build identifier that a software version writes into the logs of its matches."""
    command = [sys.executable, "-c", ASK]
    return subprocess.run(command, cwd=software.folder, capture_output=True, text=True, check=True).stdout.strip()
