"""A bot that has been started in a cage: its pipes, its process, and how it is ended."""

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
"""What the bootstrap waits for before it lets the bot begin."""
Pipes = tuple[int, int, int]


def pipes() -> tuple[Pipes, Pipes]:
    """Return (the bot's ends, our ends) of stdin, stdout and stderr."""
    bot_in, our_in = os.pipe()
    our_out, bot_out = os.pipe()
    our_err, bot_err = os.pipe()
    return (bot_in, bot_out, bot_err), (our_in, our_out, our_err)


@dataclass(slots=True, kw_only=True)
class StartedProcess:
    """A process that is about to close its own cage."""

    pipes: Pipes
    """Our ends."""
    pid: Callable[[], int]
    """Says which process it is; called once, as it may take a moment, in which others are started."""
    process: subprocess.Popen[bytes] | None = None
    """What we started and have to collect, if it is our child."""
    tether: Tether | None = None
    """Kills the process when the worker is gone, if the bootstrap cannot ask the kernel for that alone."""
    _child: Child | None = None

    @property
    def child(self) -> Child:
        """The process behind its pipes."""
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
        """End it before anybody has asked it anything."""
        self.child.end()

    def await_boot(self) -> Child:
        """Return the child once it says that its cage is closed; raises CageUnavailable with what it says instead."""
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
    """Return what it wrote to stderr, waiting a moment for it."""
    return os.read(child.stderr, 4096).decode(errors="replace").strip() if readable(child.stderr, 1) else ""
