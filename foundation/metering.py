"""Process metrics in Prometheus text format, and the token that may read them."""

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
"""Environment variable, set by the settings: the folder that all processes of one worker share for their counters."""
REFUSED = gettext_noop("send Authorization: Bearer with the token that FTK_METRICS_TOKEN names")


def has_token() -> bool:
    """Return True if the settings name a token. Without one nobody can read metrics."""
    return bool(settings.METRICS_TOKEN)


def may_read(sent: str) -> bool:
    """Check an Authorization header against the token of the settings; False if they name none."""
    return has_token() and compare_digest(sent.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())


def counted() -> CollectorRegistry:
    """Return the metrics of this process, or of all processes, dead ones included, that share its folder.

    Gauges of work in progress exclude dead processes.
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
    """Delete the counters of earlier processes in the shared folder, as a worker does when it starts."""
    for pid, file in _files():
        if pid != os.getpid():
            file.unlink(missing_ok=True)


def _files() -> Iterator[tuple[int, Path]]:
    """Yield (pid, file) for each file of the shared folder, such as `counter_4711.db`."""
    for file in Path(os.environ[SHARED]).glob("*_*.db"):
        yield int(file.stem.rpartition("_")[2]), file
