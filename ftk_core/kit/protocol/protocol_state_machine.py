"""State machine of the bot protocol, for tests that send and read single lines."""
# It checks only the order of the lines. Other rules, such as the time limit, apply in matches.

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Mapping
from gettext import gettext
from typing import Any, Self

from ftk_core.facts import encode
from ftk_core.kit.protocol.child_process import ChildProcess
from ftk_core.kit.protocol.pipe_multiplexing import open_pipe_ends
from ftk_core.kit.protocol.protocol_lines import is_state_request

TRANSITIONS: Mapping[tuple[str, str], str] = {
    ("started", "hello"): "greeted",
    ("greeted", "ask"): "asked",
    ("asked", "answer"): "greeted",
    ("asked", "no answer"): "greeted",
    ("asked", "state request"): "waiting",
    ("waiting", "world"): "informed",
    ("informed", "answer"): "greeted",
    ("informed", "no answer"): "greeted",
    ("greeted", "over"): "finished",
    ("greeted", "end of input"): "ended",
    ("asked", "end of input"): "ended",
    ("informed", "end of input"): "ended",
    ("finished", "end of input"): "ended",
}
"""(state, event) -> next state. The events hello, ask, world, over and end of input come from the server, the others
from the bot."""
ANSWER_SECONDS = 10.0
"""Maximum time in seconds to wait until the bot answers, reads a line, or ends."""
MAX_LINE_BYTES = 1 << 20
"""Maximum number of bytes read from a bot that does not end its line."""


class InvalidProtocolTransitionError(ValueError):
    """Raised for an event that the current state of the dialogue with a bot does not allow."""


class BotProtocolSession:
    """Dialogue with a started bot over the bot protocol, including its current state."""

    def __init__(self, child: ChildProcess) -> None:
        self._child, self._heard = child, b""
        self._ends, self._pipes = open_pipe_ends(child), ["stdout", "stderr"]
        self.state = "started"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.end()

    def send_line(self, line: Mapping[str, Any]) -> None:
        """Send a protocol line to the bot.

        Raises InvalidProtocolTransitionError if the state does not allow the line, OSError if the bot does not read
        it.
        """
        self._step(str(line["type"]))
        left, until = memoryview(encode(line) + b"\n"), time.monotonic() + ANSWER_SECONDS
        while left:
            if not self._ends.ready(_milliseconds_until(until), ("stdin",)):
                raise BlockingIOError
            left = left[self._ends.write(left) :]

    def read_line(self) -> bytes | None:
        """Return the next line that the bot writes, or None if none comes within `ANSWER_SECONDS`.

        If the line requests the match's state, the dialogue's state becomes *waiting*. Raises
        InvalidProtocolTransitionError for a second request at the same question.
        """
        line = self._read(ANSWER_SECONDS)
        self._step("no answer" if line is None else "state request" if is_state_request(line) else "answer")
        return line

    def finish(self) -> bytes:
        """Close the bot's stdin and return the rest of its stdout. Raises TimeoutError."""
        self._step("end of input")
        self._ends.close_input()
        output, until = self._heard, time.monotonic() + ANSWER_SECONDS
        while data := self._more(until):
            output = (output + data)[:MAX_LINE_BYTES]
        assert self._child.process
        try:
            self._child.process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired as error:
            raise TimeoutError from error
        return output

    @property
    def code(self) -> int:
        """The exit code of the bot's process."""
        return 0 if self._child.process is None else self._child.process.returncode

    def _step(self, event: str) -> None:
        if (self.state, event) not in TRANSITIONS:
            raise InvalidProtocolTransitionError(
                gettext("the event {event} is not possible in the state {state}").format(
                    event=repr(event), state=self.state
                )
            )
        self.state = TRANSITIONS[self.state, event]

    def _read(self, seconds: float) -> bytes | None:
        until = time.monotonic() + seconds
        while b"\n" not in self._heard and len(self._heard) < MAX_LINE_BYTES:
            if not (data := self._more(until)):
                return None
            self._heard += data
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def _more(self, until: float) -> bytes:
        with contextlib.suppress(OSError):
            while (left := _milliseconds_until(until)) > 0:
                ready = self._ends.ready(left, self._pipes)
                if "stderr" in ready and not self._ends.read("stderr"):
                    self._pipes.remove("stderr")
                if "stdout" in ready:
                    return self._ends.read("stdout")
        return b""


def _milliseconds_until(moment: float) -> int:
    return max(0, int((moment - time.monotonic()) * 1000))
