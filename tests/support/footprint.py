"""Number of processes of an arena and their memory, read from /proc."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from tests.support.arena import children_of

MAX_PROCESSES_AT_REST, MAX_BYTES_AT_REST = 25, 600_000_000
"""Maximum number of processes of an idle arena, and maximum of their memory in bytes."""


def list_process_tree(root: int) -> list[int]:
    """Return a process and all its descendants."""
    found = [root]
    for pid in found:
        with suppress(FileNotFoundError, ProcessLookupError):
            found += children_of(pid)
    return found


def measure_memory(root: int) -> int:
    """Return the bytes of a process and its descendants, shared memory divided among its users (PSS)."""
    taken = 0
    for pid in list_process_tree(root):
        with suppress(FileNotFoundError, ProcessLookupError):
            (kilobytes,) = re.findall(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
            taken += int(kilobytes) * 1024
    return taken
