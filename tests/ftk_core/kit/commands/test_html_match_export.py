"""The sandbox report of `ftk check` where the kit is installed without an arena or with a broken one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import ftk_core

pytestmark = pytest.mark.slow

FTK = "from ftk_core.kit.cli import app; app()"
GOOD = "from ftk_core.kit.bot import run\nrun(lambda ask: 0)\n"
NAMED = "[ftk.cages]\nbroken = broken_arena:hold\n"


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A folder that contains only the kit."""
    folder = tmp_path / "kit"
    folder.mkdir()
    (folder / "ftk_core").symlink_to(Path(ftk_core.__file__).parent)
    return folder


def check(kit: Path, source: str, *words: str) -> tuple[int, str]:
    """Check a bot in a process that can import the kit and its dependencies, but no arena."""
    bot = kit.parent / "mybot.py"
    bot.write_text(source)
    path = os.pathsep.join(map(str, (kit, Path(msgspec.__file__).parent.parent)))
    command = [sys.executable, "-S", "-c", FTK, "check", "pig", str(bot), *words]
    done = subprocess.run(
        command, cwd=kit, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_without_the_server_package_ftk_check_reports_that_it_imitates_the_sandbox(kit: Path) -> None:
    code, said = check(kit, GOOD)
    assert code == 0, said
    assert "imitated: there is no sandbox here, so audit hooks of Python refuse what a server's sandbox refuses" in said
    assert "pip install -e ." in said


def test_ftk_check_fails_if_the_requested_sandbox_is_missing(kit: Path) -> None:
    mark = kit.parent / "it-ran"
    code, said = check(kit, f"open({str(mark)!r}, 'w')\n{GOOD}", "--sandbox", "landlock")
    assert code == 2
    assert "--sandbox landlock: there is no sandbox here" in said
    assert "pip install -e ." in said
    assert not mark.exists()


@pytest.mark.parametrize("module", ["import nothing_of_that_name", "", None])
def test_ftk_check_refuses_to_run_unsandboxed_if_the_server_package_is_installed_but_broken(
    kit: Path, module: str | None
) -> None:
    (kit / "broken-1.dist-info").mkdir()
    (kit / "broken-1.dist-info" / "METADATA").write_text("Name: broken\nVersion: 1\n")
    (kit / "broken-1.dist-info" / "entry_points.txt").write_text(NAMED)
    if module is not None:
        (kit / "broken_arena.py").write_text(module)
    code, said = check(kit, GOOD)
    if module is None:  # the installed entry point names a module that is not installed
        assert (code, "imitated: there is no sandbox here" in said) == (0, True), said
    else:
        assert code == 2
        assert "broken_arena:hold cannot be loaded" in said
        assert "--sandbox none" in said
