"""A test of the sandbox: a probe bot attempts everything that is forbidden, and must fail in all of it."""

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
"""System calls that the probe bot makes by number."""
SECONDS = 10
MOST_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Report:
    """Result of a probe."""

    tier: str
    held: bool
    reason: str
    """Reason why no bot is started here; empty if the sandbox holds."""


def privileges() -> str:
    """Return the privilege that makes this process unfit to start bots (root, a capability), or an empty string.

    A former root with a range of uids for bots keeps three capabilities in its own namespace; these are allowed.
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
    """Probe the sandbox on this machine; a machine that cannot hold a bot gives a report with the reason."""
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
    """Return the report on a sandbox, computed once per process."""
    return probe(cage)


def require(cage: Cage) -> None:
    """Raise CageUnavailable unless the sandbox holds."""
    report = gate(cage)
    if not report.held:
        raise CageUnavailable(f"no bot is started here: the cage {report.tier} does not hold: {report.reason}")


def _try(cage: Cage) -> dict[str, Any]:
    """Return the probe's successes, including attacks on a process of ours that represents another bot."""
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
    """Return the probe's output; raises CageUnavailable if there is none in time."""
    said, deadline = b"", time.monotonic() + SECONDS
    while not said.endswith(b"\n") and len(said) < MOST_BYTES:
        data = os.read(child.stdout, 4096) if readable(child.stdout, deadline - time.monotonic()) else b""
        if not data:
            raise CageUnavailable("the probe ended without a word")
        said += data
    return said
