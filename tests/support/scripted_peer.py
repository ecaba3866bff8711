"""A scripted peer that stands for a bot's process at the other end of its pipes, in one thread and simulated time.

Whenever the player reads the clocks, the peer reads its input. Once it has a question, it executes the next step of
its script for that question. Time passes only as the script says.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from ftk_core.kit.protocol.child_process import ChildProcess
from ftk_core.kit.protocol.cpu_clock import BotClockReading, BotProcessTimer

NOBODY = 1 << 22
"""An id that no process has, so that no clock is read and no process is signalled."""


PATIENCE = 50
"""Number of clock readings after the last step of a script after which the player counts as waiting forever."""


@dataclass(frozen=True)
class Wait:
    """A script step that lets milliseconds pass: computing, asleep, or waiting for a processor.

    During `worker_queued` milliseconds of it the worker waited for a processor, too.
    """

    computing: int = 0
    asleep: int = 0
    queued: int = 0
    worker_queued: int = 0


@dataclass(frozen=True)
class Stderr:
    """A script step that writes to stderr."""

    text: str


@dataclass(frozen=True)
class Exit:
    """A script step that ends the process."""


Step = bytes | Wait | Stderr | Exit
"""Bytes are written to stdout as they are, with or without a line end."""


def reply_with(number: int, choice: int, **more: Any) -> bytes:
    """Return a valid answer line."""
    return json.dumps({"id": number, "choose": choice, **more}).encode() + b"\n"


class ScriptedPeer(BotProcessTimer):
    """The peer at the other end of three pipes, and its clocks."""

    def __init__(self, script: Sequence[Sequence[Step]], before: bytes = b"") -> None:
        """Create the pipes; `script` has the steps for each question, `before` is written before the first question."""
        stdin, self._hears = os.pipe()[::-1]
        stdout, self._says = os.pipe()
        stderr, self._mutters = os.pipe()
        for descriptor in (self._hears, self._says, self._mutters):
            os.set_blocking(descriptor, False)
        self.child = ChildProcess(stdin=stdin, stdout=stdout, stderr=stderr, pid=NOBODY)
        self._script = [list(steps) for steps in script]
        self._heard = bytearray()
        self._time = Wait()
        self._over = self._closed = False
        self._idle_looks = 0
        os.write(self._says, before)
        super().__init__(NOBODY)

    @property
    def heard(self) -> list[Any]:
        """The received lines, decoded."""
        with contextlib.suppress(BlockingIOError):
            while not self._closed and (data := os.read(self._hears, 65536)):
                self._heard += data
        return [json.loads(line) for line in self._heard.split(b"\n")[:-1]]

    def _now(self) -> BotClockReading:
        asked = max((line["id"] for line in self.heard if line["type"] == "ask"), default=0)
        steps = self._script[asked - 1] if 0 < asked <= len(self._script) else []
        if steps:
            self._take(steps.pop(0))
            self._idle_looks = 0
        self._idle_looks += 1
        assert self._idle_looks < PATIENCE, f"the script for question {asked} is over, and nothing came of it"
        time = self._time
        total = time.computing + time.asleep + time.queued
        return BotClockReading(total * 1000, time.computing * 1000, time.queued * 1000, time.worker_queued * 1000)

    def _take(self, step: Step) -> None:
        match step:
            case bytes() | Stderr() if self._over:
                pass
            case bytes():
                assert os.write(self._says, step) == len(step), "more than a pipe holds"
            case Wait():
                pairs = zip(astuple(self._time), astuple(step), strict=True)
                self._time = Wait(*(passed + more for passed, more in pairs))
            case Stderr(text):
                os.write(self._mutters, text.encode())
            case Exit():
                self.hang_up()

    def hang_up(self) -> None:
        """Close the peer's pipe ends once."""
        if not self._over:
            self._over = True
            os.close(self._says)
            os.close(self._mutters)

    def close(self) -> None:
        """Release all resources."""
        self.hang_up()
        self._closed = True
        os.close(self._hears)
        super().close()


@contextlib.contextmanager
def check_open_descriptors() -> Iterator[None]:
    """Fail if more descriptors are open after the block than before."""
    before = set(os.listdir("/proc/self/fd"))
    yield
    assert set(os.listdir("/proc/self/fd")) <= before
