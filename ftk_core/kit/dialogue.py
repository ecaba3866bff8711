"""State machine of the bot protocol, and a client that sends any line in it without the referee's checks."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import time
from collections.abc import Mapping
from typing import Any, Self

from ftk_core.facts import encode
from ftk_core.kit.child import Child

NEXT: Mapping[tuple[str, str], str] = {
    ("started", "hello"): "greeted",
    ("greeted", "ask"): "asked",
    ("asked", "answer"): "greeted",
    ("asked", "no answer"): "greeted",
    ("greeted", "over"): "finished",
    ("greeted", "end of input"): "ended",
    ("asked", "end of input"): "ended",
    ("finished", "end of input"): "ended",
}
"""Transitions: (state, event) -> state. The arena sends hello, ask, over and the end of input; the rest comes from the
bot."""
SECONDS = 10.0
"""Seconds to wait for an answer or the end; more than any clock of an arena allows."""
LONGEST = 1 << 20
"""Maximum number of bytes read from a bot that does not end its line."""


class Unasked(ValueError):
    """Raised for an event that the current state does not allow."""


def drawn() -> str:
    """Return the state machine as the Mermaid diagram in the documentation."""
    rows = [f"    {state} --> {then}: {what}" for (state, what), then in NEXT.items()]
    return "\n".join(["stateDiagram-v2", "    [*] --> started", *rows, "    ended --> [*]"])


class Dialogue:
    """A started bot and the state of the dialogue with it."""

    def __init__(self, child: Child) -> None:
        self._child, self._heard = child, b""
        self.state = "started"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.end()

    def tell(self, line: Mapping[str, Any]) -> None:
        """Send a line; raises Unasked if the state does not allow it, and OSError if the bot does not read it."""
        self._step(str(line["type"]))
        os.set_blocking(self._child.stdin, False)
        left, until = memoryview(encode(line) + b"\n"), time.monotonic() + SECONDS
        while left:
            if not select.select([], [self._child.stdin], [], max(0.0, until - time.monotonic()))[1]:
                raise BlockingIOError
            left = left[os.write(self._child.stdin, left) :]

    def hear(self) -> bytes | None:
        """Return the next line from the bot, or None after a timeout."""
        line = self._read(SECONDS)
        self._step("no answer" if line is None else "answer")
        return line

    def left(self) -> bytes:
        """Close the bot's input and return its remaining output; raises TimeoutError if it does not end."""
        self._step("end of input")
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._child.stdin)
        os.close(nowhere)
        said, until = self._heard, time.monotonic() + SECONDS
        while data := self._more(until):
            said = (said + data)[:LONGEST]
        assert self._child.process
        try:
            self._child.process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired as error:
            raise TimeoutError from error
        return said

    @property
    def code(self) -> int:
        """The exit code of the process."""
        return 0 if self._child.process is None else self._child.process.returncode

    def _step(self, what: str) -> None:
        if (self.state, what) not in NEXT:
            raise Unasked(f"there is no {what!r} for a bot that is {self.state}")
        self.state = NEXT[self.state, what]

    def _read(self, seconds: float) -> bytes | None:
        until = time.monotonic() + seconds
        while b"\n" not in self._heard and len(self._heard) < LONGEST:
            if not (data := self._more(until)):
                return None
            self._heard += data
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def _more(self, until: float) -> bytes:
        with contextlib.suppress(OSError):
            while (left := until - time.monotonic()) > 0:
                ready, _, _ = select.select([self._child.stdout, self._child.stderr], [], [], left)
                if self._child.stderr in ready and not os.read(self._child.stderr, 1 << 16) and len(ready) == 1:
                    ready, _, _ = select.select([self._child.stdout], [], [], max(0.0, until - time.monotonic()))
                if self._child.stdout in ready:
                    return os.read(self._child.stdout, 1 << 16)
        return b""
