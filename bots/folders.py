"""A bot's read-only folder on this machine, laid out once under the digest of its files."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from django.conf import settings

from bots.cage.build import RECIPES, BuildFailed, build
from bots.cage.plan import BINARY
from bots.cage.runtime import CageUnavailable
from bots.models import Package
from ftk_core.kit.archive import Upload

Files = Iterable[tuple[str, bytes]]


def folder_of(package: Package) -> Path:
    """Return a stored package's folder; raises BuildFailed, CageUnavailable."""
    rows = package.files.values_list("path", "body")
    return _laid_out(package.digest, package.command, lambda: ((path, bytes(body)) for path, body in rows))


def folder_for(upload: Upload) -> Path:
    """Return the folder of an upload that need not be stored; raises BuildFailed, CageUnavailable."""
    return _laid_out(upload.digest, upload.command, lambda: upload.files)


def _laid_out(digest: str, command: Sequence[str], files: Callable[[], Files]) -> Path:
    target = Path(settings.BOTS_FOLDER) / digest
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=target.parent))
    for name, content in files():
        path = draft / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o444)
    _compile(command, draft)
    draft.chmod(0o755)
    try:
        os.rename(draft, target)
    except OSError:  # another worker was first: the same files under the same digest
        shutil.rmtree(draft, ignore_errors=True)
        if not target.is_dir():
            raise
    return target


def _compile(command: Sequence[str], draft: Path) -> None:
    """Put the compiled program beside its source, where the bot's language wants that."""
    language, source, *_ = command
    if language in RECIPES:
        program = draft / BINARY
        try:
            program.write_bytes(build(draft, language, source))
        except (BuildFailed, CageUnavailable):
            shutil.rmtree(draft)
            raise
        program.chmod(0o555)
