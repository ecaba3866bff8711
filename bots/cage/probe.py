"""Does the cage hold? Found out by trying: a probe bot attempts what no bot may do, and must fail in all of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

from bots.cage import Cage, cgroup
from bots.cage.filter.calls import NUMBERS, UnknownMachine, machine
from bots.cage.inside import nobody
from bots.cage.plan import BotProgram
from bots.cage.runtime import FILES, CageUnavailable
from bots.cage.spawn import spawn_of
from bots.cage.waiting import readable
from ftk_core.kit.child import Child

PROBE = FILES / "probe_bot.py"
TRIED = """
ptrace unshare mount memfd_create io_uring_setup keyctl signalfd4 prctl capget kill tkill tgkill rt_sigqueueinfo
rt_tgsigqueueinfo pidfd_open pidfd_send_signal
""".split()  # noqa: SIM905 - a table to be read
"""The system calls that the probe bot makes by their numbers, which it is told."""
SECONDS = 10
MOST_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Report:
    """What the probe found."""

    tier: str
    held: bool
    reason: str
    """Why no bot is started here; empty when the cage holds."""


def privileges() -> str:
    """Return what makes this process unfit to start bots: root, or a capability; empty when nothing does.

    Who was root and can give each bot a uid keeps three capabilities for that, in a namespace of its own.
    """
    if os.geteuid() == 0:
        return "the worker is root; start it as another user (`manage.py up` does so by itself)"
    has = nobody.uids()
    if surplus := nobody.capabilities() & ~(nobody.KEPT_BITS if has else 0):
        return f"the worker holds capabilities ({surplus:x}); start it without"
    if nobody.is_roots() and not has:
        return "the worker is root to the kernel and has no uids to give to bots; start it as another user"
    return ""


def probe(cage: Cage) -> Report:
    """Try a cage on this machine; never raises for a machine that cannot hold a bot, but says why."""
    unfit = privileges()
    if unfit:
        return Report(cage.tier, held=False, reason=unfit)
    try:
        found = _try(cage)
    except (CageUnavailable, UnknownMachine, OSError, ValueError) as error:
        return Report(cage.tier, held=False, reason=str(error) or type(error).__name__)
    if found["could"] or not found["tried"]:
        return Report(cage.tier, held=False, reason=f"a bot may: {', '.join(found['could'])}")
    return Report(cage.tier, held=True, reason="")


@cache
def gate(cage: Cage) -> Report:
    """Return the report on a cage, tried once a process."""
    return probe(cage)


def require(cage: Cage) -> None:
    """Raise CageUnavailable unless the cage holds."""
    report = gate(cage)
    if not report.held:
        raise CageUnavailable(f"no bot is started here: the cage {report.tier} does not hold: {report.reason}")


def _try(cage: Cage) -> dict[str, Any]:
    """Return what the probe could do, also to a process of ours that stands for a rival's."""
    waits = [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen(waits, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as victim:
        told = json.dumps({"numbers": {name: NUMBERS[machine()][name] for name in TRIED}, "victim": victim.pid})
        found = _tried(cage, BotProgram(PROBE.parent, ("python", PROBE.name, told)))
        if victim.poll() is not None:
            found["could"].append("end another process")
        victim.kill()
    return found


def _tried(cage: Cage, entry: BotProgram) -> dict[str, Any]:
    held = spawn_of(cage)(cage, entry)
    try:
        child = held.await_boot()
        with cgroup.holding(cage, child.pid, entry.kind):
            os.write(child.stdin, child.preface)
            found: dict[str, Any] = json.loads(_line(child))
        return found
    finally:
        held.end()


def _line(child: Child) -> bytes:
    """Return what the probe prints; raises CageUnavailable when it prints nothing in time."""
    said, deadline = b"", time.monotonic() + SECONDS
    while not said.endswith(b"\n") and len(said) < MOST_BYTES:
        data = os.read(child.stdout, 4096) if readable(child.stdout, deadline - time.monotonic()) else b""
        if not data:
            raise CageUnavailable("the probe ended without a word")
        said += data
    return said
