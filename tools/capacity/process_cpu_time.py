"""Processor time and memory of a site's processes by role (kind of process), read from /proc."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
MARKS = {
    "worker": b"matches@",
    "trials": b"trials@",
    "reviews": b"reviews@",
    "seats": b"seats@",
    "house": b"house@",
    "outside": b"outside@",
    "web": b"deploy.web",
    "database": b"/postgres\0",
}
"""Role -> text in the command line of its first process. The descendants of a process have the same role."""
SELF, REAPED = slice(11, 13), slice(13, 15)
"""Slices of the fields of /proc/<pid>/stat after the process name (proc(5)). `SELF`: utime and stime of the process
itself. `REAPED`: those of its children that have ended and been waited for."""


@dataclass(frozen=True, slots=True)
class ProcessSnapshot:
    """State of one process at a moment, from /proc."""

    parent: int
    command: bytes
    own: float
    """Processor seconds of the process itself."""
    reaped: float
    """Processor seconds of its children that have ended."""


def list_processes() -> dict[int, ProcessSnapshot]:
    """Return all processes of the machine by process id."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
            fields = (folder / "stat").read_bytes().rpartition(b")")[2].split()
            own, reaped = (sum(map(int, fields[part])) / TICKS for part in (SELF, REAPED))
            found[int(folder.name)] = ProcessSnapshot(int(fields[1]), (folder / "cmdline").read_bytes(), own, reaped)
    return found


def find_role(pid: int, seen: Mapping[int, ProcessSnapshot], root: int) -> str:
    """Return the role of a process, such as ``worker``, or an empty string for a process that is not part of the site.

    `root` is the process id of `manage.py up`. All other processes of the site are its descendants. `MARKS` has a text
    for each role. The process has the role whose text is in its command line or, failing that, in the command line of
    its nearest ancestor. Otherwise the role is ``up``.
    """
    role = ""
    while pid in seen and pid != root:
        role = role or next((name for name, mark in MARKS.items() if mark in seen[pid].command), "")
        pid = seen[pid].parent
    return (role or "up") if pid == root else ""


def read_processor_seconds(root: int) -> dict[str, float]:
    """Return the processor seconds that each kind of process has used so far.

    `root` is the process id of `manage.py up`.
    """
    return divide_by_role(list_processes(), root)


def divide_by_role(seen: Mapping[int, ProcessSnapshot], root: int) -> dict[str, float]:
    """Return the total processor seconds by role, for the process with id `root` and all its descendants."""
    # Children of match workers that are not workers themselves, such as sandboxes, count as ``bots``.
    seconds = defaultdict[str, float](float)
    for pid, process in seen.items():
        role = find_role(pid, seen, root)
        if role == "worker":
            ours = b"celery" in process.command
            seconds["worker" if ours else "bots"] += process.own
            seconds["bots"] += process.reaped
        elif role:
            seconds[role] += process.own + process.reaped
    return dict(seconds)


def compute_growth(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """Return by how much each counter has grown from `before` to `after`. A counter missing in `before` began at 0."""
    return {name: after[name] - before.get(name, 0.0) for name in after}


def read_resident_bytes(root: int, role: str) -> float:
    """Return the resident memory of all processes of one kind, in bytes."""
    # Memory shared by two processes counts twice.
    seen, pages = list_processes(), 0
    for pid in [pid for pid in seen if find_role(pid, seen, root) == role]:
        with suppress(FileNotFoundError, ProcessLookupError):
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


def read_machine_seconds() -> float:
    """Return the seconds for which all processors of the machine together have worked since boot (proc(5): stat)."""
    user, nice, system = Path("/proc/stat").read_text().split()[1:4]
    return (int(user) + int(nice) + int(system)) / TICKS
