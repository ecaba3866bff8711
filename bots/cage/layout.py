"""A bot's folder as the bot sees it: its read-only files and, if its source is compiled, the program."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from bots.cage.build import build
from ftk_core.kit.holding import BuildFailed
from ftk_core.kit.languages import LANGUAGES
from ftk_core.kit.packing import Files, lay_out
from ftk_core.kit.remedies import BINARY, BUILT

Build = Callable[[Path, str, str], tuple[bytes, str]]
"""Type of `build`: takes a folder, a language and a source; returns the program and the compiler's output."""


def lay_out_bot(target: Path, command: Sequence[str], files: Callable[[], Files], make: Build = build) -> Path:
    """Return the bot's folder, and create it if it does not exist; raises BuildFailed, CageUnavailable.

    It is created under a temporary name and renamed, because other processes may start bots from it meanwhile.
    """
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=target.parent))
    try:
        lay_out(files(), draft)
        _compile(command, draft, make)
        draft.chmod(0o755)
        _move(draft, target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return target


def _move(draft: Path, target: Path) -> None:
    try:
        os.rename(draft, target)
    except OSError:  # another worker was first: the same files under the same digest
        if not target.is_dir():
            raise


def _compile(command: Sequence[str], draft: Path, make: Build) -> None:
    """Compile the source in the folder, or make an uploaded program executable."""
    language, source, *_ = command
    if LANGUAGES[language].prebuilt:
        (draft / source).chmod(0o555)
    if LANGUAGES[language].compiler:
        if taken := next((name for name in (BINARY, BUILT) if (draft / name).exists()), None):
            raise BuildFailed(f"{taken} is reserved for the arena; give the file another name")
        program, words = make(draft, language, source)
        (draft / BINARY).write_bytes(program)
        (draft / BINARY).chmod(0o555)
        (draft / BUILT).write_text(words, "utf-8")
