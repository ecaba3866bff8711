"""The sandbox configuration from Django's settings."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from bots.cage import Cage
from bots.cage.cgroup import is_ready


def read_cage() -> Cage:
    """Return the configured sandbox."""
    grouped = is_ready() if settings.BOT_CGROUP is None else settings.BOT_CGROUP
    return Cage(
        tier=settings.BOT_CAGE,
        folder=Path(settings.CAGE_FOLDER),
        wheels=str(settings.BOT_WHEELS),
        cgroup=grouped,
        prebuilt=settings.BOT_PREBUILT,
        grid=settings.BOT_ANSWER_GRID,
    )
