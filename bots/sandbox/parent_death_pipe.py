"""A pipe that makes the kernel kill a bwrap process when its worker dies.

The pipe is the stdin of bwrap, and the worker is its only writer. When the worker dies, the kernel kills bwrap
(fcntl(2): F_SETOWN, F_SETSIG, O_ASYNC). The bot ends by the parent-death signal that the bootstrap has set. The
bootstrap is the code that completes the sandbox from inside and then runs the bot.

The pipe takes effect once the sandbox is complete. If the worker dies earlier, the bot's stdin is closed and the
bootstrap ends by itself. bwrap's own option ``--die-with-parent`` is not used: it may kill bwrap between cloning a
child and letting the child continue. Then the child would wait forever.
"""

from __future__ import annotations

import fcntl
import os
import signal


class ParentDeathPipe:
    """A pipe whose writing end the worker holds, and whose reading end is the stdin of a bwrap process."""

    def __init__(self) -> None:
        self.stdin, self._writing_end = os.pipe()
        self._open = [self.stdin, self._writing_end]

    def kill_with_parent(self, pid: int) -> None:
        """Let the kernel kill the process `pid` when this process dies; `pid` must not have been reaped yet."""
        fcntl.fcntl(self.stdin, fcntl.F_SETOWN, pid)
        fcntl.fcntl(self.stdin, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(self.stdin, fcntl.F_SETFL, fcntl.fcntl(self.stdin, fcntl.F_GETFL) | os.O_ASYNC)
        self._open.remove(self.stdin)
        os.close(self.stdin)

    def close(self) -> None:
        """Close the pipe. The kernel then kills the process passed to `kill_with_parent`, if it still runs."""
        while self._open:
            os.close(self._open.pop())
