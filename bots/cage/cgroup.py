"""A second layer of isolation on machines that delegate cgroups (version 2): one cgroup for each bot.

The filters limit a bot to its address space and to one process; a cgroup enforces both even if a filter has a gap,
and a single write kills everything in it. By default a worker uses a delegated cgroup if it has one: systemd
delegates with ``Delegate=``, to a unit or to the scope that `manage.py up` requests. With ``BOT_CGROUP=1`` a worker
without one starts no bot.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from bots.cage import Cage
from bots.cage.filter.policy import Kind
from bots.cage.limits import CAGE
from bots.cage.runtime import CageUnavailable

CONTROLLERS = ("memory", "pids")
WORKER = "worker"
"""The leaf cgroup of the worker itself: a cgroup with controllers enabled for children may hold no processes."""
END_SECONDS = 2.0


def own() -> Path:
    """Return this process's own cgroup; raises CageUnavailable without version 2."""
    with open("/proc/self/cgroup", encoding="utf-8") as lines:
        paths = [line.rstrip("\n").removeprefix("0::") for line in lines if line.startswith("0::")]
    mount = _mount()
    if not paths or not mount:
        raise CageUnavailable("BOT_CGROUP is on, and this machine has no cgroups of version 2")
    return Path(mount) / paths[0].lstrip("/")


@cache
def _mount() -> str:
    """Return the mount point of cgroup version 2, which does not change at run time; empty if it is not mounted."""
    with open("/proc/self/mounts", encoding="utf-8") as lines:
        return next((line.split()[1] for line in lines if line.split()[2] == "cgroup2"), "")


def settle(group: Path, controllers: Sequence[str] = CONTROLLERS) -> None:
    """Prepare a cgroup for bots: move its processes into a leaf, and enable its controllers for children.

    Call it once, in a worker that has a service of its own, before it forks. Raises CageUnavailable if the cgroup is
    not delegated.
    """
    try:
        leaf = group / WORKER
        leaf.mkdir(exist_ok=True)
        for pid in (group / "cgroup.procs").read_text().split():
            (leaf / "cgroup.procs").write_text(pid)
        (group / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in controllers))
    except OSError as error:
        raise CageUnavailable(f"BOT_CGROUP is on, and {group} is not delegated to the worker: {error}") from error


def settle_worker(cage: Cage) -> None:
    """Prepare this worker's own cgroup if the sandbox uses cgroups; raises CageUnavailable."""
    if cage.cgroup and own().name != WORKER:
        settle(own())


def settle_if_given() -> None:
    """Prepare this worker's own cgroup if it is delegated to it alone with all controllers; else do nothing."""
    with contextlib.suppress(CageUnavailable, OSError):
        group = own()
        members = {int(pid) for pid in (group / "cgroup.procs").read_text().split()}
        given = (group / "cgroup.controllers").read_text().split()
        if group.name != WORKER and members == {os.getpid()} and set(CONTROLLERS) <= set(given):
            settle(group)


def is_ready() -> bool:
    """Return True if a worker has prepared cgroups for bots."""
    with contextlib.suppress(CageUnavailable, OSError):
        leaf = own()
        divided = (leaf.parent / "cgroup.subtree_control").read_text().split()
        return leaf.name == WORKER and set(CONTROLLERS) <= set(divided)
    return False


def limits(kind: Kind) -> dict[str, int]:
    """Return the limits of a bot's cgroup, by file name."""
    tasks = CAGE.threads if kind == "threads" else 2
    return {"memory.max": CAGE.memory_bytes, "memory.swap.max": 0, "memory.oom.group": 1, "pids.max": tasks}


@contextmanager
def holding(cage: Cage, pid: int, kind: Kind) -> Iterator[Path | None]:
    """Put a bot that waits for its start into its own cgroup, if the sandbox uses cgroups; raises CageUnavailable."""
    if not cage.cgroup:
        yield None
        return
    leaf = own()
    if leaf.name != WORKER:
        raise CageUnavailable(f"BOT_CGROUP is on, and {leaf} is no cgroup that a worker has made ready")
    with group_of(leaf.parent, pid, limits(kind)) as group:
        yield group


@contextmanager
def group_of(ground: Path, pid: int, files: dict[str, int]) -> Iterator[Path]:
    """Yield a new cgroup for a process, with these limits; at the end kill everything in it and remove it."""
    group = ground / f"bot-{os.getpid()}-{pid}"
    try:
        group.mkdir()
        for name, value in files.items():
            (group / name).write_text(str(value))
        (group / "cgroup.procs").write_text(str(pid))
    except OSError as error:
        _remove(group)
        raise CageUnavailable(f"a bot cannot have a cgroup in {ground}: {error}") from error
    try:
        yield group
    finally:
        (group / "cgroup.kill").write_text("1")
        _remove(group)


def _remove(group: Path) -> None:
    deadline = time.monotonic() + END_SECONDS
    with contextlib.suppress(FileNotFoundError):
        while True:
            try:
                group.rmdir()
            except FileNotFoundError:
                raise
            except OSError:  # a killed process takes a moment to leave
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.002)
            else:
                return
