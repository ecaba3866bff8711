"""A started process with three pipes, and an end that leaves nothing of it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field

LAUNCHER_SECONDS = 2
"""How long what started a bot may take to end after it."""


@dataclass(slots=True, kw_only=True)
class Child:
    """A bot's process; the descriptors are ours to close."""

    stdin: int
    stdout: int
    stderr: int
    pid: int
    """The process that thinks: its CPU clock counts."""
    process: subprocess.Popen[bytes] | None = None
    """What we started and have to collect, if the process is our child or grandchild."""
    preface: bytes = b""
    """What is to be sent before anything else."""
    ended: Callable[[], object] | None = None
    """Called once when it has ended."""
    handle: int = field(init=False)
    """A pidfd: it cannot come to mean another process."""

    def __post_init__(self) -> None:
        try:
            self.handle = os.pidfd_open(self.pid)
        except ProcessLookupError:
            self.handle = -1

    def send(self, sign: signal.Signals) -> None:
        """Signal the process; one that is gone is left in peace."""
        if self.handle >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.handle, sign)

    def end(self) -> None:
        """Kill it with everything in its group, collect it, and close our ends."""
        self.send(signal.SIGKILL)
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1
        if self.process is not None:
            _collect(self.process, self.pid)
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.close(descriptor)
        if self.ended is not None:
            self.ended()


def child_of(process: subprocess.Popen[bytes]) -> Child:
    """Return a child started with three pipes, whose descriptors are then no longer the process object's."""
    ends = []
    for stream in (process.stdin, process.stdout, process.stderr):
        assert stream
        ends.append(os.dup(stream.fileno()))
        stream.close()
    return Child(stdin=ends[0], stdout=ends[1], stderr=ends[2], pid=process.pid, process=process)


def _collect(process: subprocess.Popen[bytes], pid: int) -> None:
    if pid != process.pid:  # what started it sees its death and then ends by itself
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(LAUNCHER_SECONDS)
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
