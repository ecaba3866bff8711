"""Sandbox configuration read from Django's settings."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from bots.sandbox import SandboxConfig
from bots.sandbox.cgroup import is_ready
from bots.sandbox.installed_programming_languages import find_playable_languages


def read_sandbox() -> SandboxConfig:
    """Return the sandbox configuration from Django's settings."""
    # Without BOT_CGROUP, cgroups are used if this worker has prepared its own cgroup for bots.
    grouped = is_ready() if settings.BOT_CGROUP is None else settings.BOT_CGROUP
    return SandboxConfig(
        backend=settings.BOT_CAGE,
        folder=Path(settings.CAGE_FOLDER),
        wheels=str(settings.BOT_WHEELS),
        cgroup=grouped,
        prebuilt=settings.BOT_PREBUILT,
        grid=settings.BOT_ANSWER_GRID,
    )


def list_languages_here() -> list[str]:
    """Return the programming languages of the bots that this machine can compile and run."""
    return find_playable_languages(read_sandbox())
