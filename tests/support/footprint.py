"""The processes of an arena and the memory that they take, read from /proc."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from tests.support.arena import children_of

MAX_PROCESSES_AT_REST, MAX_BYTES_AT_REST = 25, 600_000_000


def descendants(root: int) -> list[int]:
    """Return a process and all that descend from it."""
    found = [root]
    for pid in found:
        with suppress(FileNotFoundError, ProcessLookupError):
            found += children_of(pid)
    return found


def memory(root: int) -> int:
    """Return the bytes that a process and its descendants take, those shared divided among their sharers (PSS)."""
    taken = 0
    for pid in descendants(root):
        with suppress(FileNotFoundError, ProcessLookupError):
            (kilobytes,) = re.findall(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
            taken += int(kilobytes) * 1024
    return taken
