"""Process metrics in Prometheus text format, protected by a bearer token."""

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

__all__ = [
    "CONTENT_TYPE_LATEST",
    "REFUSAL_MESSAGE",
    "collect_metrics",
    "delete_counters_of_others",
    "generate_latest",
    "has_token",
    "is_authorized",
]
SHARED_FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Environment variable with the folder where all processes of one worker store their counters; the settings set it."""
REFUSAL_MESSAGE = gettext_noop("send Authorization: Bearer with the token that FTK_METRICS_TOKEN names")


def has_token() -> bool:
    """Return True if the settings contain a metrics token. Without a token nobody can read metrics."""
    return bool(settings.METRICS_TOKEN)


def is_authorized(authorization: str) -> bool:
    """Return True if an Authorization header contains the metrics token from the settings."""
    return has_token() and compare_digest(authorization.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())


def collect_metrics() -> CollectorRegistry:
    """Return this process's metrics. If several processes share counters, return the totals of all processes."""
    # Totals include dead processes, except for gauges of work in progress.
    if SHARED_FOLDER_VARIABLE not in os.environ:
        return REGISTRY
    for pid in {pid for pid, _ in _counter_files()}:
        if not Path(f"/proc/{pid}").exists():
            mark_process_dead(pid)  # type: ignore[no-untyped-call]  # the library has no types for this function
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the library has no types for this class
    return registry


def delete_counters_of_others() -> None:
    """Delete the counter files of all other processes from the shared folder."""
    # Called when a worker starts: an earlier worker may have left files.
    for pid, file in _counter_files():
        if pid != os.getpid():
            file.unlink(missing_ok=True)


def _counter_files() -> Iterator[tuple[int, Path]]:
    """Yield (process id, path) for each counter file in the shared folder, such as `counter_4711.db`."""
    for file in Path(os.environ[SHARED_FOLDER_VARIABLE]).glob("*_*.db"):
        yield int(file.stem.rpartition("_")[2]), file
