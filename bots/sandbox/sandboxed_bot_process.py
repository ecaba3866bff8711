"""A bot that has been started in a sandbox: its pipes, its process, and its termination."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass

from bots.sandbox.file_descriptor_polling import is_readable
from bots.sandbox.inside.boot import BOOTED_MESSAGE
from bots.sandbox.language_runtimes import SandboxUnavailable
from bots.sandbox.parent_death_pipe import ParentDeathPipe
from ftk_core.kit.protocol.child_process import ChildProcess
from ftk_core.kit.sandboxing.sandbox_limits import SANDBOX_LIMITS

START_BYTE = b"\n"
"""Byte that the bootstrap waits for before it runs the bot."""
Pipes = tuple[int, int, int]


def create_pipes() -> tuple[Pipes, Pipes]:
    """Create pipes for stdin, stdout and stderr; return the bot's three ends and the worker's three ends."""
    bot_in, our_in = os.pipe()
    our_out, bot_out = os.pipe()
    our_err, bot_err = os.pipe()
    return (bot_in, bot_out, bot_err), (our_in, our_out, our_err)


@dataclass(slots=True, kw_only=True)
class StartedBotProcess:
    """Started process of a bot, whose sandbox may not be complete yet."""

    pipes: Pipes
    """The worker's ends of the bot's stdin, stdout and stderr."""
    pid: Callable[[], int]
    """Function that returns the bot's pid; called once and as late as possible, because it may block."""
    process: subprocess.Popen[bytes] | None = None
    """The started program if it is a child of this process, which must then reap it; None otherwise."""
    death_pipe: ParentDeathPipe | None = None
    """Pipe that makes the kernel kill `process` when the worker dies; None if the bootstrap's death signal does it."""
    _child: ChildProcess | None = None

    @property
    def child(self) -> ChildProcess:
        """The bot's pid and pipes as a ChildProcess, through which a player exchanges messages with the bot."""
        if self._child is None:
            stdin, stdout, stderr = self.pipes
            self._child = ChildProcess(
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                pid=self.pid(),
                process=self.process,
                preface=START_BYTE,
                ended=self.death_pipe.close if self.death_pipe else None,
            )
        return self._child

    def end(self) -> None:
        """Kill the process."""
        # Needed only if no player object for the bot was created; a player kills the bot itself.
        self.child.end()

    def await_boot(self) -> ChildProcess:
        """Wait until the sandbox is complete. Raises SandboxUnavailable if it fails or takes too long."""
        child = self.child
        deadline = time.monotonic() + SANDBOX_LIMITS.boot_seconds
        output = b""
        while len(output) < len(BOOTED_MESSAGE) and time.monotonic() < deadline:
            ready = is_readable(child.stdout, deadline - time.monotonic())
            data = os.read(child.stdout, len(BOOTED_MESSAGE) - len(output)) if ready else b""
            if not data:
                break
            output += data
        if output != BOOTED_MESSAGE:
            stderr = _read_stderr(child)
            raise SandboxUnavailable(stderr or f"the sandbox did not close within {SANDBOX_LIMITS.boot_seconds:.0f} s")
        if self.death_pipe and self.process:
            self.death_pipe.kill_with_parent(self.process.pid)
        return child


def _read_stderr(child: ChildProcess) -> str:
    """Return at most 4096 bytes of the child's stderr as text; empty if none come within one second."""
    return os.read(child.stderr, 4096).decode(errors="replace").strip() if is_readable(child.stderr, 1) else ""
