"""Kills a bwrap when its worker dies; its bot dies with it, by a death signal that the bootstrap has asked for.

bwrap's own ``--die-with-parent`` kills it also between its clone and the moment at which it lets the clone go on, which
then waits for ever. Ours comes into force once the bootstrap has closed the cage: the kernel watches a pipe that bwrap
has as its stdin, and kills bwrap when the only writer, the worker, is gone (fcntl(2): F_SETOWN, F_SETSIG, O_ASYNC).
A worker that dies earlier closes the bot's stdin, and the bootstrap ends by itself.
"""

from __future__ import annotations

import fcntl
import os
import signal


class Tether:
    """A pipe between a worker, which holds it, and a bwrap, which has the other end as its stdin."""

    def __init__(self) -> None:
        self.stdin, self._held = os.pipe()
        self._open = [self.stdin, self._held]

    def tie(self, pid: int) -> None:
        """Let the kernel kill a process as soon as we are gone; it must not have been collected."""
        fcntl.fcntl(self.stdin, fcntl.F_SETOWN, pid)
        fcntl.fcntl(self.stdin, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(self.stdin, fcntl.F_SETFL, fcntl.fcntl(self.stdin, fcntl.F_GETFL) | os.O_ASYNC)
        self._open.remove(self.stdin)
        os.close(self.stdin)

    def close(self) -> None:
        """Let go of a process that has ended, or kill it."""
        while self._open:
            os.close(self._open.pop())
