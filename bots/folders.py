"""A bot's read-only folder on this machine, laid out once under the digest of its files."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from bots.cage.layout import laid_out
from bots.models import Package


def folder_of(package: Package) -> Path:
    """Return a stored package's folder; raises BuildFailed, CageUnavailable."""
    rows = package.files.values_list("path", "body")
    target = Path(settings.BOTS_FOLDER) / package.digest
    return laid_out(target, package.command, lambda: ((path, bytes(body)) for path, body in rows))
