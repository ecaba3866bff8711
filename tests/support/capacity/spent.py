"""What an arena's processes spend: processor time by role, read from /proc."""

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
"""What the first process of each role has in its command; whatever it started is its own."""
SELF, REAPED = slice(11, 13), slice(13, 15)
"""Of the fields of /proc/<pid>/stat behind the name (proc(5)): utime and stime, and those of children waited for."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One process at a moment."""

    parent: int
    command: bytes
    own: float
    """Seconds that it worked itself."""
    reaped: float
    """And those of its children who have ended."""


def processes() -> dict[int, Seen]:
    """Return all processes of the machine."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
            fields = (folder / "stat").read_bytes().rpartition(b")")[2].split()
            own, reaped = (sum(map(int, fields[part])) / TICKS for part in (SELF, REAPED))
            found[int(folder.name)] = Seen(int(fields[1]), (folder / "cmdline").read_bytes(), own, reaped)
    return found


def role_of(pid: int, seen: Mapping[int, Seen], root: int) -> str:
    """Return whose a process is that descends from `manage.py up`; nothing for a stranger's."""
    role = ""
    while pid in seen and pid != root:
        role = role or next((name for name, mark in MARKS.items() if mark in seen[pid].command), "")
        pid = seen[pid].parent
    return (role or "up") if pid == root else ""


def spent(root: int) -> dict[str, float]:
    """Return the seconds that each role of an arena has spent so far."""
    return shared(processes(), root)


def shared(seen: Mapping[int, Seen], root: int) -> dict[str, float]:
    """Divide what the processes below one have spent by role; what a match worker started is `bots`, cages too."""
    seconds = defaultdict[str, float](float)
    for pid, process in seen.items():
        role = role_of(pid, seen, root)
        if role == "worker":
            ours = b"celery" in process.command
            seconds["worker" if ours else "bots"] += process.own
            seconds["bots"] += process.reaped
        elif role:
            seconds[role] += process.own + process.reaped
    return dict(seconds)


def grown(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """Return by how much each figure has grown."""
    return {name: after[name] - before.get(name, 0.0) for name in after}


def resident(root: int, role: str) -> float:
    """Return how many bytes of memory a role's processes have, those counted twice that they share (proc(5): statm)."""
    seen, pages = processes(), 0
    for pid in [pid for pid in seen if role_of(pid, seen, root) == role]:
        with suppress(FileNotFoundError, ProcessLookupError):
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


def machine() -> float:
    """Return the seconds that all processors of the machine have worked so far, for whomever (proc(5): /proc/stat)."""
    user, nice, system = Path("/proc/stat").read_text().split()[1:4]
    return (int(user) + int(nice) + int(system)) / TICKS
