"""Other processes that look at what a test made: where its database is, and which processes are PostgreSQL's."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from django.db import connection


def database() -> str:
    """Return the address of the test's own database, as a setting."""
    settings = connection.settings_dict
    return f"postgresql:///{settings['NAME']}?host={quote(settings['HOST'], safe='')}&user={settings['USER']}"


def of_cluster(folder: Path) -> list[int]:
    """Return every process that was started on the cluster."""
    needle = os.fsencode(folder / "cluster")
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = line.read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
        found += [int(line.parent.name)] if needle in words else []
    return found
