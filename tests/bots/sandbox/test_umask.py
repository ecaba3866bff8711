"""Folders that bots read, under a strict umask of the worker: a bot may run as another user than the worker."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bots.sandbox import SandboxConfig, bot_folder_layout, forkserver
from bots.sandbox.bot_folder_layout import create_bot_folder
from bots.sandbox.language_runtimes import create_helper_folder
from bots.sandbox.sandbox_self_test import probe_sandbox
from tests.support.machine import sandbox_config, working_backends

COMMAND = ("python", "bot.py")
FILES = [("bot.py", b"import parts.one\n"), ("parts/deep/__init__.py", b""), ("parts/one.py", b"")]


@pytest.fixture(autouse=True)
def _strict_umask() -> Iterator[None]:
    """Create all files under umask 077, and forget which folders were created or repaired."""
    before = os.umask(0o077)
    _restart_caches()
    yield
    os.umask(before)
    _restart_caches()


def _restart_caches() -> None:
    create_helper_folder.cache_clear()
    bot_folder_layout._repair_modes.cache_clear()
    forkserver.close_server()


def sandbox(tmp_path: Path, backend: str = "bwrap") -> SandboxConfig:
    return replace(sandbox_config(backend), folder=tmp_path / "cage")


def list_unreadable(folder: Path) -> list[Path]:
    """Return the files that other users cannot read, and the folders that they cannot enter."""
    bits = {path: 0o755 if path.is_dir() else 0o444 for path in (folder, *folder.rglob("*"))}
    return [path for path, wanted in bits.items() if path.stat().st_mode & wanted != wanted]


def shut(folder: Path) -> None:
    """Set the modes that an earlier release gave the contents of a folder under this umask."""
    for path in folder.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o400)


def test_other_users_can_read_the_folder_of_a_bot_and_the_files_that_bots_import(tmp_path: Path) -> None:
    bot = create_bot_folder(tmp_path / "bots" / "x", COMMAND, lambda: FILES)
    helper = create_helper_folder(tmp_path / "cage")
    assert list_unreadable(bot) == list_unreadable(helper) == []
    assert (bot / "parts" / "deep").stat().st_mode & 0o777 == 0o755
    assert (helper / "ftk_core" / "kit" / "bot.py").stat().st_mode & 0o777 == 0o644


def test_stored_folders_that_other_users_cannot_read_are_repaired(tmp_path: Path) -> None:
    bot = create_bot_folder(tmp_path / "bots" / "x", COMMAND, lambda: FILES)
    helper = create_helper_folder(tmp_path / "cage")
    for folder in (bot, helper):
        shut(folder)
        assert list_unreadable(folder)
    _restart_caches()
    assert create_bot_folder(bot, COMMAND, list) == bot
    assert create_helper_folder(tmp_path / "cage") == helper
    assert list_unreadable(bot) == list_unreadable(helper) == []


@pytest.mark.slow
@pytest.mark.parametrize("backend", working_backends())
def test_the_sandbox_self_test_fails_if_a_bot_cannot_import_its_modules_or_the_bot_library(
    tmp_path: Path, backend: str
) -> None:
    config = sandbox(tmp_path, backend)
    for _ in range(2):  # the second use of a folder repairs its modes; the test breaks them again below
        assert probe_sandbox(config).passed, probe_sandbox(config).reason
    (probe,) = config.folder.glob("probe-*")
    subfolders = {
        "import ftk_core.kit.bot": create_helper_folder(config.folder) / "ftk_core" / "kit",
        "import a module from a subfolder of the bot": probe / "subfolder",
    }
    for name, subfolder in subfolders.items():
        subfolder.chmod(0)
        forkserver.close_server()
        report = probe_sandbox(config)
        subfolder.chmod(0o755)
        assert not report.passed
        assert name.rpartition(" ")[2] in report.reason
