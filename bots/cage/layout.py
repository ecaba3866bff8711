"""A bot's folder as it will see it: its files, read-only, and beside a source the program made of it."""

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
"""Given a folder, a language and a source, return the program and the compiler's words as `build` does."""


def lay_out_bot(target: Path, command: Sequence[str], files: Callable[[], Files], make: Build = build) -> Path:
    """Return a folder that is the same for everybody, made if it is not there yet; raises BuildFailed, CageUnavailable.

    It appears at once and complete, since others may start bots from it while we write.
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
    """Put the compiled program and the compiler's words beside its source, or let what came compiled be started."""
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
