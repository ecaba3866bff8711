"""A bot's read-only folder on this machine, laid out once under the digest of its files."""

from __future__ import annotations

import os
from pathlib import Path

from django.conf import settings

from bots.cage.layout import laid_out
from bots.models import Package
from ftk_core.kit.packing import Files


def folder_of(package: Package) -> Path:
    """Return a stored package's folder; raises BuildFailed, CageUnavailable."""
    folder = Path(settings.BOTS_FOLDER)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid == os.geteuid():
        folder.chmod(0o700)  # what authors sent is theirs, and the arena's
    target = folder / package.digest

    def files() -> Files:
        return ((path, bytes(body)) for path, body in package.files.values_list("path", "body"))

    return laid_out(target, package.command, files)
