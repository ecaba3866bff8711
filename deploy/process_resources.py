"""Scheduling priority of a process and its limit of open files."""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path

AUTOGROUP = Path("/proc/self/autogroup")
AUTOGROUP_TRIES = 5
AUTOGROUP_PAUSE_SECONDS = 0.15
"""Pause between tries: for all non-root users together, the kernel accepts one write to autogroup per 0.1 seconds."""
OTHER_FILES = 256
"""Number of open files of a web process besides client connections: modules, logs, the database, static files."""


def lower_priority(niceness: int) -> None:
    """Raise the niceness of this process. If it leads its session, also raise that of its autogroup (sched(7))."""
    # With autogroups (CONFIG_SCHED_AUTOGROUP) the niceness of a process counts only within its session.
    own = os.nice(niceness)
    if os.getsid(0) != os.getpid() or not AUTOGROUP.exists():
        return
    for _ in range(AUTOGROUP_TRIES):
        try:
            AUTOGROUP.write_text(str(own))
        except BlockingIOError:
            time.sleep(AUTOGROUP_PAUSE_SECONDS)
        except OSError as error:
            sys.stderr.write(f"{AUTOGROUP} cannot be set to {own}: {error}; this process does not give way to others\n")
            return
        else:
            return
    sys.stderr.write(f"{AUTOGROUP} was busy {AUTOGROUP_TRIES} times; this process does not give way to others\n")


def run_when_idle() -> None:
    """Set the scheduling policy SCHED_IDLE, so that this process uses only idle processors."""
    try:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except OSError as error:
        sys.stderr.write(f"SCHED_IDLE cannot be set: {error}; this process competes with others by its niceness\n")


def raise_open_files(connections: int) -> None:
    """Raise the limit of open files to its maximum. Warn if that is too low for `connections` clients."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    sys.stderr.write(f"open files: at most {hard} (the limit was {soft})\n")
    if hard != resource.RLIM_INFINITY and hard < connections + OTHER_FILES:
        sys.stderr.write(
            f"{hard} open files are too few for {connections} connections (FTK_GATE_CONNECTIONS): "
            f"set LimitNOFILE={connections + OTHER_FILES} in the unit, or `ulimit -Hn`, or fewer connections\n"
        )
