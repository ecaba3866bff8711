"""Local folders with the files of bots."""
# The name of a folder is the digest of the files, followed by `-built` if the bot is compiled.

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.db.models.functions import Length

from bots.models import BotPackage, BotPackageFile
from bots.models.compiled_bot_programs import CompiledBotProgram
from bots.sandbox.bot_folder_layout import create_bot_folder
from bots.sandbox.language_runtimes import SandboxUnavailable
from bots.sandbox.sandboxed_compilation import build_program
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.kit.uploads.upload_error_hints import COMPILED_BOT_FILE
from ftk_core.kit.uploads.upload_packing import Files

MAX_CHECKED_FOLDERS = 10_000
"""Number of folders for which a process remembers that it has compared their sizes."""


def bot_folder(package: BotPackage, *, waiting: Callable[[], None] = lambda: None) -> Path:
    """Return the local folder of a bot's files; create it, and compile the bot, if needed.

    Calls `waiting` regularly during the compilation. Raises BotBuildError if the bot cannot be compiled,
    SandboxUnavailable if this machine cannot compile it or cannot use its program from the database, or HostMemoryError
    if the machine ran out of memory.
    """
    folder = Path(settings.BOTS_FOLDER)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid == os.geteuid():
        folder.chmod(0o700)  # uploads are private to their authors and the arena
    # A folder without this suffix may contain a program compiled on this machine before programs were stored centrally.
    target = folder / (f"{package.digest}-built" if LANGUAGES[package.command[0]].compiler else package.digest)
    _remove_if_incomplete(target, package.pk)

    def files() -> Files:
        return ((path, bytes(body)) for path, body in package.files.values_list("path", "body"))

    def make(draft: Path, language: str, source: str) -> tuple[bytes, str]:
        return _load_program(package) or _build_and_store(package, draft, language, source, waiting)

    return create_bot_folder(target, package.command, files, make)


@lru_cache(maxsize=MAX_CHECKED_FOLDERS)
def _remove_if_incomplete(folder: Path, package_id: str) -> None:
    """Remove a bot's folder if a file is missing in it, or if a file's size differs from its size in the database."""
    # A power cut can empty files that an earlier release had not flushed to disk. Once per process is enough. The lock
    # keeps a process from removing the folder that another one has just created anew.
    if not folder.is_dir():
        return
    sizes = _read_stored_sizes(package_id)
    parent = os.open(folder.parent, os.O_RDONLY)
    try:
        fcntl.flock(parent, fcntl.LOCK_EX)
        if folder.is_dir() and not _has_sizes(folder, sizes):
            removed = tempfile.mkdtemp(prefix=".removed-", dir=folder.parent)
            os.rename(folder, removed)
            shutil.rmtree(removed, ignore_errors=True)
    finally:
        os.close(parent)


def _read_stored_sizes(package_id: str) -> dict[str, int]:
    """Return the sizes in bytes of a bot's stored files and compiled program, by path."""
    sizes = dict(BotPackageFile.objects.filter(package=package_id).values_list("path", Length("body")))
    program = CompiledBotProgram.objects.filter(package=package_id).values_list("size", flat=True).first()
    return sizes if program is None else {**sizes, COMPILED_BOT_FILE: program}


def _has_sizes(folder: Path, sizes: Mapping[str, int]) -> bool:
    try:
        return all((folder / path).stat().st_size == size for path, size in sizes.items())
    except OSError:
        return False


def _load_program(package: BotPackage) -> tuple[bytes, str] | None:
    """Return (compiled program, compiler output) of a bot from the database, or None if no program is stored."""
    # Raises SandboxUnavailable if the program is damaged or for another processor architecture.
    stored = CompiledBotProgram.objects.filter(package=package).first()
    if stored is None:
        return None
    program = bytes(stored.body)
    if sha256(program).hexdigest() != stored.digest:
        raise SandboxUnavailable(f"the program stored for the package {package} is damaged; restore it from a backup")
    if stored.machine != platform.machine():
        raise SandboxUnavailable(
            f"the program of the package {package} is for {stored.machine}, not {platform.machine()}"
        )
    return program, stored.words


def _build_and_store(
    package: BotPackage, draft: Path, language: str, source: str, waiting: Callable[[], None]
) -> tuple[bytes, str]:
    """Compile a bot and store the program in the database."""
    # If another worker was faster, its program is returned.
    program, output = build_program(draft, language, source, waiting=waiting)
    digest = sha256(program).hexdigest()
    new_build = CompiledBotProgram(
        package=package,
        digest=digest,
        machine=platform.machine(),
        size=len(program),
        body=program,
        words=output.replace("\0", ""),
    )
    CompiledBotProgram.objects.bulk_create([new_build], ignore_conflicts=True)
    stored = _load_program(package)
    assert stored, "it was stored a moment ago"
    return stored
