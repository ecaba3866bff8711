"""A pipe that makes the kernel kill a bwrap when its worker dies; the bootstrap's death signal then kills the bot.

bwrap's own ``--die-with-parent`` may kill it between its clone and the moment at which it lets the clone continue,
which then waits for ever. The tether comes into force once the bootstrap has completed the sandbox: bwrap has a pipe
as its stdin, and the kernel kills bwrap when the only writer, the worker, is gone (fcntl(2): F_SETOWN, F_SETSIG,
O_ASYNC). A worker that dies earlier closes the bot's stdin, and the bootstrap ends by itself.
"""

from __future__ import annotations

import fcntl
import os
import signal


class Tether:
    """A pipe whose writing end the worker holds and whose reading end is a bwrap's stdin."""

    def __init__(self) -> None:
        self.stdin, self._held = os.pipe()
        self._open = [self.stdin, self._held]

    def tie(self, pid: int) -> None:
        """Let the kernel kill a process when this one dies; the process must not have been reaped."""
        fcntl.fcntl(self.stdin, fcntl.F_SETOWN, pid)
        fcntl.fcntl(self.stdin, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(self.stdin, fcntl.F_SETFL, fcntl.fcntl(self.stdin, fcntl.F_GETFL) | os.O_ASYNC)
        self._open.remove(self.stdin)
        os.close(self.stdin)

    def close(self) -> None:
        """Release a process that has ended, or kill it."""
        while self._open:
            os.close(self._open.pop())
