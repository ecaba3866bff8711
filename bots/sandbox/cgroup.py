"""Cgroups (version 2) for bots, as a second layer of isolation."""
# The first layer is resource limits and a seccomp filter. A cgroup enforces memory and process limits again, in case
# the filter has a gap, and its file `cgroup.kill` ends all processes. The worker's unit needs `Delegate=` (systemd);
# with `BOT_CGROUP=1` a worker without a delegated cgroup starts no bot.

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from bots.sandbox import SandboxConfig
from bots.sandbox.filter.system_call_policy import Kind
from bots.sandbox.language_runtimes import SandboxUnavailable
from ftk_core.kit.sandboxing.sandbox_limits import SANDBOX_LIMITS

CONTROLLERS = ("memory", "pids")
WORKER_LEAF = "worker"
"""Name of the leaf cgroup for the worker itself: a cgroup that controls children may not contain processes."""
END_SECONDS = 2.0
"""Maximum seconds to wait until killed processes have left their cgroup."""


def own_cgroup() -> Path:
    """Return the path of this process's own cgroup; raises SandboxUnavailable without cgroup version 2."""
    with open("/proc/self/cgroup", encoding="utf-8") as lines:
        paths = [line.rstrip("\n").removeprefix("0::") for line in lines if line.startswith("0::")]
    mount = _mount_point()
    if not paths or not mount:
        raise SandboxUnavailable("BOT_CGROUP is on, and this machine has no cgroups of version 2")
    return Path(mount) / paths[0].lstrip("/")


@cache
def _mount_point() -> str:
    """Return the mount point of cgroup version 2; empty if it is not mounted."""
    with open("/proc/self/mounts", encoding="utf-8") as lines:
        return next((line.split()[1] for line in lines if line.split()[2] == "cgroup2"), "")


def prepare_cgroup(group: Path, controllers: Sequence[str] = CONTROLLERS) -> None:
    """Prepare the worker's cgroup `group`, so that bots can get their own cgroups inside it.

    Call this once, before the worker forks. Raises SandboxUnavailable if the cgroup is not delegated to the worker.
    """
    # The worker moves into a child cgroup, because a cgroup with processes cannot give controllers to its children.
    # `group` must contain no other process.
    try:
        leaf = group / WORKER_LEAF
        leaf.mkdir(exist_ok=True)
        for pid in (group / "cgroup.procs").read_text().split():
            (leaf / "cgroup.procs").write_text(pid)
        (group / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in controllers))
    except OSError as error:
        raise SandboxUnavailable(f"BOT_CGROUP is on, and {group} is not delegated to the worker: {error}") from error


def prepare_worker_cgroup(sandbox: SandboxConfig) -> None:
    """Prepare this worker's cgroup for bots if the sandbox is configured to use cgroups; raises SandboxUnavailable."""
    if sandbox.cgroup and own_cgroup().name != WORKER_LEAF:
        prepare_cgroup(own_cgroup())


def prepare_delegated_cgroup() -> None:
    """Prepare this worker's cgroup for bots if systemd has delegated it; otherwise do nothing."""
    with contextlib.suppress(SandboxUnavailable, OSError):
        group = own_cgroup()
        members = {int(pid) for pid in (group / "cgroup.procs").read_text().split()}
        controllers = (group / "cgroup.controllers").read_text().split()
        if group.name != WORKER_LEAF and members == {os.getpid()} and set(CONTROLLERS) <= set(controllers):
            prepare_cgroup(group)


def is_ready() -> bool:
    """Return True if this process is a worker whose cgroup is prepared for bots."""
    with contextlib.suppress(SandboxUnavailable, OSError):
        leaf = own_cgroup()
        enabled_controllers = (leaf.parent / "cgroup.subtree_control").read_text().split()
        return leaf.name == WORKER_LEAF and set(CONTROLLERS) <= set(enabled_controllers)
    return False


def cgroup_limits(kind: Kind) -> dict[str, int]:
    """Return the limits of a bot's cgroup, by file name in the cgroup."""
    tasks = SANDBOX_LIMITS.threads if kind == "threads" else 2
    return {"memory.max": SANDBOX_LIMITS.memory_bytes, "memory.swap.max": 0, "memory.oom.group": 1, "pids.max": tasks}


@contextmanager
def bot_cgroup(sandbox: SandboxConfig, pid: int, kind: Kind) -> Iterator[Path | None]:
    """Put a bot into a cgroup of its own and yield the path. Raises SandboxUnavailable.

    Yields None if the configuration uses no cgroups.
    """
    if not sandbox.cgroup:
        yield None
        return
    leaf = own_cgroup()
    if leaf.name != WORKER_LEAF:
        raise SandboxUnavailable(f"BOT_CGROUP is on, and {leaf} is no cgroup that a worker has made ready")
    with create_cgroup(leaf.parent, pid, cgroup_limits(kind)) as group:
        yield group


@contextmanager
def create_cgroup(parent: Path, pid: int, limits: dict[str, int]) -> Iterator[Path]:
    """Create a cgroup for a process and yield its path; at the end, kill its processes and remove it.

    Raises SandboxUnavailable if the cgroup cannot be created.
    """
    group = parent / f"bot-{os.getpid()}-{pid}"
    try:
        group.mkdir()
        for name, value in limits.items():
            (group / name).write_text(str(value))
        (group / "cgroup.procs").write_text(str(pid))
    except OSError as error:
        _remove(group)
        raise SandboxUnavailable(f"a bot cannot have a cgroup in {parent}: {error}") from error
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
