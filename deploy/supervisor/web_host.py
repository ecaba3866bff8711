"""Several web processes at one port: a dead one is restarted while the others go on."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from deploy.measures import forget_counts
from deploy.supervisor.children import WATCHED, Children, asked_to_end
from deploy.supervisor.processes import Process, start
from deploy.supervisor.roles import Role, web_roles


def keep_serving(var: Path, host: str, port: int, count: int) -> None:
    """Run web processes until asked to end. Call it in the main thread, whose signals it takes over."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    forget_counts(var, port)
    children = Children(web_roles(host, port, count), _start, _say)
    try:
        children.begin()
        while not asked_to_end(children.tend()):
            pass
    finally:
        children.stop()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(role: Role) -> Process:
    """Start a web process with our stdout and stderr."""
    return start(role.command, env={**os.environ, **role.env})


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()
