"""Non-blocking pipes to a bot, with limits on everything that the bot writes."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from gettext import gettext

from ftk_core.kit.protocol.child_process import ChildProcess
from ftk_core.kit.protocol.pipe_multiplexing import open_pipe_ends
from ftk_core.kit.protocol.protocol_lines import ANSWER_BYTES
from ftk_core.kit.protocol.stderr_error_line import find_error_line

MAX_STORED_STDERR_BYTES = 16_384
"""Maximum number of bytes of a bot's stderr that are stored."""
LAST_STDERR_BYTES = 16_384
"""Number of bytes at the end of a bot's stderr in which its error is looked for."""
FINAL_STDERR_WAIT_MS = 1000
"""Maximum wait in milliseconds for the stderr of a bot that has closed its stdout."""
MAX_STDERR_BYTES = 1 << 20
MAX_STDOUT_BYTES = 4 << 20
"""Maximum number of bytes that a bot may write to stdout in a match; `MAX_STDERR_BYTES` is the maximum for stderr. A
bot that writes more is ended."""


class BotOutputLimitExceeded(Exception):
    """Raised if a bot has written too much to stdout or stderr."""


class BotPipes:
    """Non-blocking stdin, stdout and stderr of one bot, with buffers and limits."""

    def __init__(self, child: ChildProcess) -> None:
        self._ends = open_pipe_ends(child)
        self.outbox = bytearray(child.preface)
        self.world_sent = 0
        """Id of the last question for which the bot got a complete state (`CompleteMatchStateLine`); 0 for none."""
        self.was_asked = False
        """True after the bot's first question."""
        self.inbox = bytearray()
        self._stderr = bytearray()
        self._last_stderr = b""
        self._out_bytes = self._err_bytes = 0
        self._err_open = True
        self._skipping = False

    @property
    def stderr(self) -> str:
        """The first `MAX_STORED_STDERR_BYTES` of the bot's error output, as text."""
        return self._stderr.decode(errors="replace")

    def exchange(self, milliseconds: int) -> bool | None:
        """Wait up to `milliseconds` until a pipe is ready, then read what the bot wrote and write what is queued.

        Return None if no pipe was ready in this time, False if the bot has closed its stdout, and True otherwise.
        Raises BotOutputLimitExceeded.
        """
        pipes = ["stdout"]
        if self._err_open:  # a closed pipe is always ready and would cause a busy loop
            pipes.append("stderr")
        if self.outbox:
            pipes.append("stdin")
        ready = self._ends.ready(milliseconds, pipes)
        for pipe in ready:
            if pipe == "stdin":
                self.send()
            elif pipe == "stderr":
                self.hear_stderr()
            elif not self._receive():
                return False
        return True if ready else None

    def send(self) -> None:
        """Write the queued bytes (`outbox`) to the bot's stdin, as many as the pipe accepts."""
        try:
            del self.outbox[: self._ends.write(self.outbox)]
        except BlockingIOError:
            return
        except OSError:  # the bot has closed stdin; `exchange` reports its end when stdout closes
            self.outbox.clear()

    def _receive(self) -> bool:
        try:
            data = self._ends.read("stdout")
        except BlockingIOError:
            return True
        self.inbox += data
        self._out_bytes += len(data)
        if self._out_bytes > MAX_STDOUT_BYTES:
            raise BotOutputLimitExceeded(
                gettext("more than {max_stdout_bytes} MiB on stdout").format(max_stdout_bytes=MAX_STDOUT_BYTES >> 20)
            )
        return bool(data)

    def hear_stderr(self) -> None:
        """Read the bot's error output and store its first part; raises BotOutputLimitExceeded."""
        with contextlib.suppress(BlockingIOError):
            data = self._ends.read("stderr")
            self._stderr += data[: max(0, MAX_STORED_STDERR_BYTES - len(self._stderr))]
            self._last_stderr = (self._last_stderr + data)[-LAST_STDERR_BYTES:]
            self._err_open = bool(data)
            self._err_bytes += len(data)
        if self._err_bytes > MAX_STDERR_BYTES:
            raise BotOutputLimitExceeded(
                gettext("more than {max_stderr_bytes} MiB on stderr").format(max_stderr_bytes=MAX_STDERR_BYTES >> 20)
            )

    def read_final_error(self) -> str:
        """Return the last error line that a bot wrote to stderr. Raises BotOutputLimitExceeded."""
        # Wait for the rest of stderr: a bot in Python may close its stdout before it writes its traceback.
        until = time.monotonic() + FINAL_STDERR_WAIT_MS / 1000
        while self._err_open and (left := until - time.monotonic()) > 0:
            self._ends.ready(int(left * 1000) + 1, ("stderr",))
            self.hear_stderr()
        return find_error_line(self._last_stderr.decode(errors="replace"))

    def discard_output(self) -> Iterator[bytes]:
        """Read everything that the bot has written to stdout so far, and remove all complete lines from the buffer.

        After each read, yield the lines removed, joined together. An unfinished line stays in the buffer. Raises
        BotOutputLimitExceeded.
        """
        yield self._discard_lines()
        while self._waiting() and self._receive():
            yield self._discard_lines()

    def _discard_lines(self) -> bytes:
        """Remove all complete lines that were read from stdout, and return them."""
        # Of an unfinished line, ANSWER_BYTES + 1 bytes are kept, so that a line over the limit stays over it.
        self._drop_rest()
        end = self.inbox.rfind(b"\n") + 1
        lines = bytes(self.inbox[:end])
        del self.inbox[:end]
        del self.inbox[ANSWER_BYTES + 1 :]
        return lines

    def _waiting(self) -> bool:
        return bool(self._ends.ready(0, ("stdout",)))

    def skip_beyond(self, most: int) -> bool:
        """Discard an unfinished line that exceeds `most` bytes; return True if there was one."""
        # The rest of a discarded line is dropped when it arrives.
        if len(self.inbox) <= most:
            return False
        self._skipping = True
        self.inbox.clear()
        return True

    def _drop_rest(self) -> None:
        """Remove the rest of a line that `skip_beyond` has discarded."""
        if self._skipping:
            end = self.inbox.find(b"\n")
            self._skipping = end < 0
            del self.inbox[: end + 1 if end >= 0 else len(self.inbox)]

    def line(self) -> bytes | None:
        """Return the next complete line from the bot without its line end, or None."""
        self._drop_rest()
        end = self.inbox.find(b"\n")
        if end < 0:
            return None
        line = bytes(self.inbox[:end])
        del self.inbox[: end + 1]
        return line
