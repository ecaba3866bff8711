"""A bot's read-only folder on this machine, created once under the digest of its files."""

from __future__ import annotations

import os
import platform
from hashlib import sha256
from pathlib import Path

from django.conf import settings

from bots.build_models import Build
from bots.cage.build import build
from bots.cage.layout import lay_out_bot
from bots.cage.runtime import CageUnavailable
from bots.models import Package
from ftk_core.kit.languages import LANGUAGES
from ftk_core.kit.packing import Files


def folder_of(package: Package) -> Path:
    """Return a stored package's folder, and create it if needed; raises BuildFailed, CageUnavailable."""
    folder = Path(settings.BOTS_FOLDER)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid == os.geteuid():
        folder.chmod(0o700)  # uploads are private to their authors and the arena
    # A folder with the digest alone may contain an older, local build from before programs were stored.
    target = folder / (f"{package.digest}-built" if LANGUAGES[package.command[0]].compiler else package.digest)

    def files() -> Files:
        return ((path, bytes(body)) for path, body in package.files.values_list("path", "body"))

    def make(draft: Path, language: str, source: str) -> tuple[bytes, str]:
        return _stored_program(package) or _build_and_store(package, draft, language, source)

    return lay_out_bot(target, package.command, files, make)


def _stored_program(package: Package) -> tuple[bytes, str] | None:
    """Return the stored program and compiler output, or None if it was never built; raises CageUnavailable."""
    row = Build.objects.filter(package=package).first()
    if row is None:
        return None
    program = bytes(row.body)
    if sha256(program).hexdigest() != row.digest:
        raise CageUnavailable(f"the program stored for the package {package} is damaged; restore it from a backup")
    if row.machine != platform.machine():
        raise CageUnavailable(f"the program of the package {package} is for {row.machine}, not {platform.machine()}")
    return program, row.words


def _build_and_store(package: Package, draft: Path, language: str, source: str) -> tuple[bytes, str]:
    """Build a package for all machines; of two concurrent builds both use the program that was stored first."""
    program, words = build(draft, language, source)
    digest = sha256(program).hexdigest()
    row = Build(
        package=package,
        digest=digest,
        machine=platform.machine(),
        size=len(program),
        body=program,
        words=words.replace("\0", ""),
    )
    Build.objects.bulk_create([row], ignore_conflicts=True)
    stored = _stored_program(package)
    assert stored, "it was stored a moment ago"
    return stored
