"""What processes count of their own work, as text in the format of Prometheus, and who may read it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from secrets import compare_digest

from django.conf import settings
from django.utils.translation import gettext_noop
from prometheus_client import REGISTRY, CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

__all__ = ["CONTENT_TYPE_LATEST", "REFUSED", "counted", "forget_others", "generate_latest", "has_token", "may_read"]
SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder into which all processes of one worker count; the settings set it."""
REFUSED = gettext_noop("send Authorization: Bearer with the token that FTK_METRICS_TOKEN names")


def has_token() -> bool:
    """Tell whether the settings name a token; without, nobody reads anything."""
    return bool(settings.METRICS_TOKEN)


def may_read(sent: str) -> bool:
    """Tell whether a header Authorization is that of the settings' token; False where they name none."""
    return has_token() and compare_digest(sent.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())


def counted() -> CollectorRegistry:
    """Return what this process has counted, or what all processes have that share its folder, the dead ones included.

    What the dead ones have under way counts no more: it is nobody's now.
    """
    if SHARED not in os.environ:
        return REGISTRY
    for pid in {pid for pid, _ in _files()}:
        if not Path(f"/proc/{pid}").exists():
            mark_process_dead(pid)  # type: ignore[no-untyped-call]  # the library says no types here
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # nor here
    return registry


def forget_others() -> None:
    """Begin anew: forget what processes counted that shared this folder before, as a worker does when it starts."""
    for pid, file in _files():
        if pid != os.getpid():
            file.unlink(missing_ok=True)


def _files() -> Iterator[tuple[int, Path]]:
    """Yield the files of the shared folder, such as `counter_4711.db`, each with the process that writes it."""
    for file in Path(os.environ[SHARED]).glob("*_*.db"):
        yield int(file.stem.rpartition("_")[2]), file
