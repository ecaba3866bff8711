"""The pipes to a bot: bounded, never blocking, and a bot that never reads or never stops writing is no trouble."""

from __future__ import annotations

import contextlib
import os
import select

from ftk_core.kit.child import Child

STDERR_BYTES = 16_384
"""How much of a bot's stderr is kept for its author, in bytes."""
STDERR_LIMIT = 1 << 20
STDOUT_LIMIT = 4 << 20
"""A bot that writes more in a match is ended."""
CHUNK = 65_536


class Flooded(Exception):
    """Raised when a bot has written more than a match allows; the message says where."""


class Wire:
    """What waits to be sent, and what has come."""

    def __init__(self, child: Child) -> None:
        self._child = child
        for descriptor in (child.stdin, child.stdout, child.stderr):
            os.set_blocking(descriptor, False)
        self.outbox = bytearray(child.preface)
        self.inbox = bytearray()
        self._stderr = bytearray()
        self._out_bytes = self._err_bytes = 0
        self._err_open = True
        self._skipping = False

    @property
    def stderr(self) -> str:
        """The first part of what the bot wrote to stderr."""
        return self._stderr.decode(errors="replace")

    def exchange(self, milliseconds: int) -> bool | None:
        """Move what can be moved; None when nothing could be in that time, False once the bot's stdout is closed.

        Raises Flooded.
        """
        poll = select.poll()
        poll.register(self._child.stdout, select.POLLIN)
        if self._err_open:  # a closed one is always ready, and would spin
            poll.register(self._child.stderr, select.POLLIN)
        if self.outbox:
            poll.register(self._child.stdin, select.POLLOUT)
        events = poll.poll(milliseconds)
        for descriptor, _event in events:
            if descriptor == self._child.stdin:
                self.send()
            elif descriptor == self._child.stderr:
                self.hear_stderr()
            elif not self._receive():
                return False
        return True if events else None

    def send(self) -> None:
        """Write as much as the pipe takes."""
        try:
            del self.outbox[: os.write(self._child.stdin, self.outbox)]
        except BlockingIOError:
            return
        except OSError:  # the reader is gone; its closed stdout will say so
            self.outbox.clear()

    def _receive(self) -> bool:
        try:
            data = os.read(self._child.stdout, CHUNK)
        except BlockingIOError:
            return True
        self.inbox += data
        self._out_bytes += len(data)
        if self._out_bytes > STDOUT_LIMIT:
            raise Flooded(f"more than {STDOUT_LIMIT >> 20} MiB on stdout")
        return bool(data)

    def hear_stderr(self) -> None:
        """Keep the beginning of what it says there; raises Flooded."""
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._child.stderr, CHUNK)
            self._stderr += data[: max(0, STDERR_BYTES - len(self._stderr))]
            self._err_open = bool(data)
            self._err_bytes += len(data)
        if self._err_bytes > STDERR_LIMIT:
            raise Flooded(f"more than {STDERR_LIMIT >> 20} MiB on stderr")

    def forget(self) -> bytes:
        """Take away what was said before the next question is asked, its first part; raises Flooded."""
        kept = b""
        while self._waiting() and self._receive():
            self._drop_rest()
            kept = kept or bytes(self.inbox)
            self.inbox.clear()
        kept = kept or bytes(self.inbox)
        self.inbox.clear()
        return kept

    def _waiting(self) -> bool:
        poll = select.poll()
        poll.register(self._child.stdout, select.POLLIN)
        return any(event & select.POLLIN for _, event in poll.poll(0))

    def skip_beyond(self, most: int) -> bool:
        """Tell whether a line that has not ended is longer than that; the rest of it is then passed over."""
        if len(self.inbox) <= most:
            return False
        self._skipping = True
        self.inbox.clear()
        return True

    def _drop_rest(self) -> None:
        """Pass over the rest of a line that was too long."""
        if self._skipping:
            end = self.inbox.find(b"\n")
            self._skipping = end < 0
            del self.inbox[: end + 1 if end >= 0 else len(self.inbox)]

    def line(self) -> bytes | None:
        """Take the next whole line that has come, without its end."""
        self._drop_rest()
        end = self.inbox.find(b"\n")
        if end < 0:
            return None
        line = bytes(self.inbox[:end])
        del self.inbox[: end + 1]
        return line
