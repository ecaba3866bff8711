"""Supervisor that restarts web processes that share a port."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from deploy.config.telemetry import delete_counters
from deploy.supervisor.child_process_start_and_stop import Process, start
from deploy.supervisor.child_process_supervisor import WATCHED_SIGNALS, ChildProcessSupervisor, is_stop_requested
from deploy.supervisor.process_roles import ProcessRole, list_web_roles


def supervise_web_processes(var: Path, host: str, port: int, count: int) -> None:
    """Run `count` web processes until a signal stops them. Call this in the main thread."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED_SIGNALS)
    delete_counters(var, port)
    children = ChildProcessSupervisor(list_web_roles(host, port, count), _start, _say)
    try:
        children.begin()
        while not is_stop_requested(children.restart_due()):
            pass
    finally:
        children.stop()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(role: ProcessRole) -> Process:
    """Start a web process that inherits this process's stdout and stderr."""
    return start(role.command, env={**os.environ, **role.env})


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
