"""How bots are held on this machine, as the settings say."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from bots.cage import Cage


def cage() -> Cage:
    """Return the cage in force."""
    return Cage(settings.BOT_CAGE, Path(settings.CAGE_FOLDER), str(settings.BOT_WHEELS), settings.BOT_CGROUP)
