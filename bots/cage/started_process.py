"""A bot that has been started in a sandbox: its pipes, its process, and its termination."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass

from bots.cage.inside.boot import BOOTED
from bots.cage.limits import CAGE
from bots.cage.runtime import CageUnavailable
from bots.cage.tether import Tether
from bots.cage.waiting import readable
from ftk_core.kit.child import Child

GO = b"\n"
"""Byte that the bootstrap waits for before the bot begins."""
Pipes = tuple[int, int, int]


def pipes() -> tuple[Pipes, Pipes]:
    """Return (the bot's ends, our ends) of stdin, stdout and stderr."""
    bot_in, our_in = os.pipe()
    our_out, bot_out = os.pipe()
    our_err, bot_err = os.pipe()
    return (bot_in, bot_out, bot_err), (our_in, our_out, our_err)


@dataclass(slots=True, kw_only=True)
class StartedProcess:
    """A process whose bootstrap has not yet completed the sandbox."""

    pipes: Pipes
    """Our ends."""
    pid: Callable[[], int]
    """Returns the pid; called once and late, because it may block while other bots are started."""
    process: subprocess.Popen[bytes] | None = None
    """The process to reap, if it is our child."""
    tether: Tether | None = None
    """Kills the process when the worker is gone, for backends in which the bootstrap's death signal is not enough."""
    _child: Child | None = None

    @property
    def child(self) -> Child:
        """The process with its pipes."""
        if self._child is None:
            stdin, stdout, stderr = self.pipes
            self._child = Child(
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                pid=self.pid(),
                process=self.process,
                preface=GO,
                ended=self.tether.close if self.tether else None,
            )
        return self._child

    def end(self) -> None:
        """Kill the process before it was asked anything."""
        self.child.end()

    def await_boot(self) -> Child:
        """Return the child once it reports its complete sandbox; otherwise raises CageUnavailable with its stderr."""
        child = self.child
        deadline = time.monotonic() + CAGE.boot_seconds
        said = b""
        while len(said) < len(BOOTED) and time.monotonic() < deadline:
            ready = readable(child.stdout, deadline - time.monotonic())
            data = os.read(child.stdout, len(BOOTED) - len(said)) if ready else b""
            if not data:
                break
            said += data
        if said != BOOTED:
            words = _last_words(child)
            raise CageUnavailable(words or f"the cage did not close within {CAGE.boot_seconds:.0f} s")
        if self.tether and self.process:
            self.tether.tie(self.process.pid)
        return child


def _last_words(child: Child) -> str:
    """Return the first part of stderr, waiting up to a second for it."""
    return os.read(child.stderr, 4096).decode(errors="replace").strip() if readable(child.stderr, 1) else ""
