"""The test database's URL for other processes, and the processes of its PostgreSQL."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from django.db import connection


def read_database_url() -> str:
    """Return the URL of the test database, as a setting."""
    settings = connection.settings_dict
    return f"postgresql:///{settings['NAME']}?host={quote(settings['HOST'], safe='')}&user={settings['USER']}"


def list_cluster_processes(folder: Path) -> list[int]:
    """Return every process of the database cluster."""
    needle = os.fsencode(folder / "cluster")
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = line.read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
        found += [int(line.parent.name)] if needle in words else []
    return found
