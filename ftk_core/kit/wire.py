"""Non-blocking pipes to a bot, with limits on everything that the bot writes."""

from __future__ import annotations

import contextlib
import os
import select

from ftk_core.kit.child import Child

STDERR_BYTES = 16_384
"""Maximum size of a bot's stored stderr."""
STDERR_LIMIT = 1 << 20
STDOUT_LIMIT = 4 << 20
"""Maximum output in a match; a bot that writes more is ended."""
CHUNK = 65_536


class Flooded(Exception):
    """Raised if a bot has written more than a match allows; the message names the pipe."""


class Wire:
    """Buffers of one bot's pipes."""

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
        """The first part of the bot's stderr."""
        return self._stderr.decode(errors="replace")

    def exchange(self, milliseconds: int) -> bool | None:
        """Read and write what is possible within the time.

        Returns None if nothing was possible, False if the bot's stdout is closed, else True. Raises Flooded.
        """
        poll = select.poll()
        poll.register(self._child.stdout, select.POLLIN)
        if self._err_open:  # a closed pipe is always ready and would cause a busy loop
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
        """Write as much as the pipe accepts."""
        try:
            del self.outbox[: os.write(self._child.stdin, self.outbox)]
        except BlockingIOError:
            return
        except OSError:  # the bot has closed stdin; `exchange` reports its end when stdout closes
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
        """Read from stderr and store the first part; raises Flooded."""
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._child.stderr, CHUNK)
            self._stderr += data[: max(0, STDERR_BYTES - len(self._stderr))]
            self._err_open = bool(data)
            self._err_bytes += len(data)
        if self._err_bytes > STDERR_LIMIT:
            raise Flooded(f"more than {STDERR_LIMIT >> 20} MiB on stderr")

    def forget(self) -> bytes:
        """Discard everything read before the next question and return its first part; raises Flooded."""
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
        """Return True if an incomplete line is longer than `most`; the rest of that line is then skipped."""
        if len(self.inbox) <= most:
            return False
        self._skipping = True
        self.inbox.clear()
        return True

    def _drop_rest(self) -> None:
        """Skip the rest of a line that was too long."""
        if self._skipping:
            end = self.inbox.find(b"\n")
            self._skipping = end < 0
            del self.inbox[: end + 1 if end >= 0 else len(self.inbox)]

    def line(self) -> bytes | None:
        """Return the next complete line without its end, or None."""
        self._drop_rest()
        end = self.inbox.find(b"\n")
        if end < 0:
            return None
        line = bytes(self.inbox[:end])
        del self.inbox[: end + 1]
        return line
