"""Local folders with the files of bots."""
# The name of a folder is the digest of the files, followed by `-built` if the bot is compiled.

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from django.conf import settings

from bots.models import BotPackage
from bots.models.compiled_bot_programs import CompiledBotProgram
from bots.sandbox.bot_folder_layout import create_bot_folder
from bots.sandbox.bot_runtime_files import SandboxUnavailable
from bots.sandbox.sandboxed_build import build_program
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.kit.uploads.upload_packing import Files


def bot_folder(package: BotPackage, *, waiting: Callable[[], None] = lambda: None) -> Path:
    """Return the local folder of a bot's files, and create it if needed.

    Calls `waiting` regularly while the bot is compiled. Raises BotBuildError, SandboxUnavailable or
    HostMemoryError.
    """
    folder = Path(settings.BOTS_FOLDER)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid == os.geteuid():
        folder.chmod(0o700)  # uploads are private to their authors and the arena
    # A folder without this suffix may contain a program compiled on this machine before programs were stored centrally.
    target = folder / (f"{package.digest}-built" if LANGUAGES[package.command[0]].compiler else package.digest)

    def files() -> Files:
        return ((path, bytes(body)) for path, body in package.files.values_list("path", "body"))

    def make(draft: Path, language: str, source: str) -> tuple[bytes, str]:
        return _load_program(package) or _build_and_store(package, draft, language, source, waiting)

    return create_bot_folder(target, package.command, files, make)


def _load_program(package: BotPackage) -> tuple[bytes, str] | None:
    """Load a bot's compiled program and its compiler output, if stored."""
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
