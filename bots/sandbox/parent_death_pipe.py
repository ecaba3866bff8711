"""Pipe that makes the kernel kill a bwrap process when its worker dies."""
# The pipe is the stdin of bwrap, and the worker is its only writer (fcntl(2): F_SETOWN, F_SETSIG, O_ASYNC). The bot
# ends by the parent-death signal set inside the sandbox. If the worker dies before the sandbox is complete, the bot's
# stdin is closed and it ends by itself. bwrap's option `--die-with-parent` is not used: it may kill bwrap between
# cloning a child and letting the child continue, which would then wait forever.

from __future__ import annotations

import fcntl
import os
import signal


class ParentDeathPipe:
    """Pipe from the worker to the stdin of a bwrap process."""

    def __init__(self) -> None:
        self.stdin, self._writing_end = os.pipe()
        self._open = [self.stdin, self._writing_end]

    def kill_with_parent(self, pid: int) -> None:
        """Make the kernel kill a process when this process dies."""
        # `pid` must not have been reaped yet.
        fcntl.fcntl(self.stdin, fcntl.F_SETOWN, pid)
        fcntl.fcntl(self.stdin, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(self.stdin, fcntl.F_SETFL, fcntl.fcntl(self.stdin, fcntl.F_GETFL) | os.O_ASYNC)
        self._open.remove(self.stdin)
        os.close(self.stdin)

    def close(self) -> None:
        """Close the pipe. The kernel then kills the process passed to `kill_with_parent`, if it still runs."""
        while self._open:
            os.close(self._open.pop())
