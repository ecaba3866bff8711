"""The far end of a bot's pipes by a script, in the same thread: what it says and how long it takes, without a process.

Whenever the player looks at the clocks, the far end reads what has been sent to it; once a question is there, it takes
one step of what its script has for that question. Time passes only as the script says.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from ftk_core.kit.child import Child
from ftk_core.kit.clock import Clocks, Reading

NOBODY = 1 << 22
"""No process has this number, so that nobody's clock is read and nobody is signalled."""


PATIENCE = 50
"""A player that looks so often after the end of its script waits for ever."""


@dataclass(frozen=True)
class Takes:
    """Time goes by, in milliseconds: computing, asleep, or waiting for a processor.

    In `worker_queued` milliseconds of all that the worker waited for a processor too.
    """

    computing: int = 0
    asleep: int = 0
    queued: int = 0
    worker_queued: int = 0


@dataclass(frozen=True)
class Mutters:
    """Something is said on stderr."""

    text: str


@dataclass(frozen=True)
class Closes:
    """The process ends."""


Step = bytes | Takes | Mutters | Closes
"""Bytes are said on stdout as they stand, with or without the end of a line."""


def says(number: int, choice: int, **more: Any) -> bytes:
    """Return a good answer."""
    return json.dumps({"id": number, "choose": choice, **more}).encode() + b"\n"


class FarEnd(Clocks):
    """What is at the other end of three pipes, and its clocks."""

    def __init__(self, script: Sequence[Sequence[Step]], before: bytes = b"") -> None:
        """Take a row of steps for each question; `before` is said before any was asked."""
        stdin, self._hears = os.pipe()[::-1]
        stdout, self._says = os.pipe()
        stderr, self._mutters = os.pipe()
        for descriptor in (self._hears, self._says, self._mutters):
            os.set_blocking(descriptor, False)
        self.child = Child(stdin=stdin, stdout=stdout, stderr=stderr, pid=NOBODY)
        self._script = [list(steps) for steps in script]
        self._heard = bytearray()
        self._time = Takes()
        self._over = self._closed = False
        self._idle_looks = 0
        os.write(self._says, before)
        super().__init__(NOBODY)

    @property
    def heard(self) -> list[Any]:
        """The lines that have come, decoded."""
        with contextlib.suppress(BlockingIOError):
            while not self._closed and (data := os.read(self._hears, 65536)):
                self._heard += data
        return [json.loads(line) for line in self._heard.split(b"\n")[:-1]]

    def _now(self) -> Reading:
        asked = max((line["id"] for line in self.heard if line["type"] == "ask"), default=0)
        steps = self._script[asked - 1] if 0 < asked <= len(self._script) else []
        if steps:
            self._take(steps.pop(0))
            self._idle_looks = 0
        self._idle_looks += 1
        assert self._idle_looks < PATIENCE, f"the script for question {asked} is over, and nothing came of it"
        time = self._time
        total = time.computing + time.asleep + time.queued
        return Reading(total * 1000, time.computing * 1000, time.queued * 1000, time.worker_queued * 1000)

    def _take(self, step: Step) -> None:
        match step:
            case bytes() | Mutters() if self._over:
                pass
            case bytes():
                assert os.write(self._says, step) == len(step), "more than a pipe holds"
            case Takes():
                pairs = zip(astuple(self._time), astuple(step), strict=True)
                self._time = Takes(*(passed + more for passed, more in pairs))
            case Mutters(text):
                os.write(self._mutters, text.encode())
            case Closes():
                self.hang_up()

    def hang_up(self) -> None:
        """Close our ends, once."""
        if not self._over:
            self._over = True
            os.close(self._says)
            os.close(self._mutters)

    def close(self) -> None:
        """Let go of everything."""
        self.hang_up()
        self._closed = True
        os.close(self._hears)
        super().close()


@contextlib.contextmanager
def nothing_left_open() -> Iterator[None]:
    """Fail if there are more open descriptors afterwards than before."""
    before = set(os.listdir("/proc/self/fd"))
    yield
    assert set(os.listdir("/proc/self/fd")) <= before
