"""Creation of the folder that a bot sees in the sandbox."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from bots.sandbox.sandboxed_compilation import build_program
from ftk_core.kit.bot_sandboxing import BotBuildError
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.kit.uploads.upload_error_hints import COMPILED_BOT_FILE, COMPILER_OUTPUT_FILE
from ftk_core.kit.uploads.upload_packing import Files, let_all_users_read, write_read_only

Build = Callable[[Path, str, str], tuple[bytes, str]]
"""Type of a function that compiles a bot: (folder, language, source file) -> (program, compiler's messages)."""
MAX_REPAIRED = 10_000
"""Number of folders for which a process remembers that it has repaired their modes."""


def create_bot_folder(
    target: Path, command: Sequence[str], files: Callable[[], Files], compile_source: Build = build_program
) -> Path:
    """Create a bot's folder with its files and compiled program, if it does not exist. Return the folder's path.

    Raises BotBuildError if the bot cannot be compiled, SandboxUnavailable if this machine cannot compile it, or
    HostMemoryError if the machine ran out of memory.
    """
    # The folder is created under a temporary name and renamed, because other processes may start bots from it. It is
    # flushed to disk before that, or a power cut could leave empty files under the final name.
    if target.is_dir():
        _repair_modes(target)
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=target.parent))
    try:
        write_read_only(files(), draft)
        _compile(command, draft, compile_source)
        let_all_users_read(draft)
        draft.chmod(0o755)
        _flush_tree(draft)
        _rename_draft(draft, target)
        flush_to_disk(target.parent)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return target


@lru_cache(maxsize=MAX_REPAIRED)
def _repair_modes(folder: Path) -> None:
    """Allow all users to read a bot's folder."""
    # An earlier release, run with a strict umask, created it for one user only. The cache avoids repeated repairs.
    with suppress(OSError):  # another user's folder: that user repairs it
        let_all_users_read(folder)


def _rename_draft(draft: Path, target: Path) -> None:
    try:
        os.rename(draft, target)
    except OSError:  # another worker was first: the same files under the same digest
        if not target.is_dir():
            raise


def _flush_tree(folder: Path) -> None:
    """Flush a folder and everything in it to disk."""
    for place, _folders, names in os.walk(folder):
        for path in (*(Path(place, name) for name in names), Path(place)):
            flush_to_disk(path)


def flush_to_disk(path: Path) -> None:
    """Flush a file or a folder to disk with fsync."""
    # For a folder, fsync writes its list of names, but not its files.
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _compile(command: Sequence[str], draft: Path, compile_source: Build) -> None:
    """Compile a bot's source, or make its uploaded program executable."""
    language, source, *_ = command
    if LANGUAGES[language].prebuilt:
        (draft / source).chmod(0o555)
    if LANGUAGES[language].compiler:
        if reserved := next(
            (name for name in (COMPILED_BOT_FILE, COMPILER_OUTPUT_FILE) if (draft / name).exists()), None
        ):
            raise BotBuildError(f"{reserved} is reserved for the arena; give the file another name")
        program, output = compile_source(draft, language, source)
        (draft / COMPILED_BOT_FILE).write_bytes(program)
        (draft / COMPILED_BOT_FILE).chmod(0o555)
        (draft / COMPILER_OUTPUT_FILE).write_text(output, "utf-8")
