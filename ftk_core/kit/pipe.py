"""A player that runs as a process and speaks the bot protocol over pipes; its output is not trusted.

Every wait is bounded. Computing is charged by the process's own CPU clock, and sleeping against a separate idle bank.
If neither explains the time that passed, the host is to blame and not the bot.
"""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Sequence
from typing import Self

from ftk_core.entries import Clock
from ftk_core.facts import encode
from ftk_core.kit.answers import Nonsense, leave_behind, take_answer
from ftk_core.kit.child import Child
from ftk_core.kit.clock import Clocks
from ftk_core.kit.lines import AskLine, OverLine
from ftk_core.kit.rhythm import Rhythm, released_us
from ftk_core.kit.wire import Flooded, Wire
from ftk_core.players import Answer, Ask, Hello, HostFault, NoAnswer, TimeSpent

STARTUP_MS = 5000
"""Additional computing time for the interpreter's start, the imports and the first answer."""
IDLE_MS = 2000
"""Maximum sleep per decision; waiting for a processor is not sleep."""
IDLE_BANK_MS = 15_000
"""Maximum sleep per match."""
WALL_MS = 60_000
"""Wall time beyond all limits of a decision after which the host is at fault, if the bot is starved (see STARVED)."""
STARVED = 100
"""A bot is starved if it computes and sleeps for less than 1/STARVED of the wall time. Any other bot reaches its
limits."""
PATIENCE = 3
"""Number of consecutive timeouts after which the process is ended."""
SLICE_MS = 20
"""Interval at which the clocks are read while a bot computes."""


class PipePlayer:
    """A bot process in a seat; use it in a ``with`` block, which ends the process on every way out."""

    def __init__(
        self,
        name: str,
        child: Child,
        *,
        waiting: Callable[[], None] = lambda: None,
        metered: bool = True,
        freezes: bool = False,
        rhythm: Rhythm | None = None,
        clocks: Clocks | None = None,
    ) -> None:
        """Take over a process that was just started.

        `waiting` is called regularly while the bot computes. A bot that is not `metered` is held to the limits, but
        its log contains no microseconds, so that equal seeds write equal logs. A bot that `freezes` runs only while
        it is asked; its match's `rhythm` hides the time it took and whether it was asked. `clocks` replace those of
        the process.
        """
        self._name, self._child, self._wire = name, child, Wire(child)
        self._clocks = clocks or Clocks(child.pid)
        self._on_wait, self._metered, self._freezes = waiting, metered, freezes
        self._silences, self._grace_ms, self._idle_left_ms, self._move_ms = 0, STARTUP_MS, IDLE_BANK_MS, Clock().move_ms
        self._rhythm = rhythm or Rhythm()
        self._begun = self._over = False
        self.notes: list[tuple[int, str]] = []
        """(question, text) pairs for the author."""
        self.faults: list[tuple[int, str]] = []
        """(question, fault) pairs for the author."""
        self.built = ""
        """The compiler's output, for the author."""
        self.memory: int | None = None
        """Peak memory use in bytes; None if it was not measured."""
        self._freeze()

    @property
    def name(self) -> str:
        """The player's name in the log."""
        return self._name

    @property
    def pid(self) -> int:
        """The process whose CPU clock is measured."""
        return self._child.pid

    @property
    def stderr(self) -> str:
        """The first part of the bot's stderr."""
        return self._wire.stderr

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def greet(self, hello: Hello) -> None:
        """Queue the greeting; it is sent with the first question."""
        self._wire.outbox += encode(hello) + b"\n"

    def choose(self, ask: Ask) -> Answer:
        """Send the question and wait for the answer; raises NoAnswer, or HostFault if this machine was too busy."""
        if self._over:
            raise NoAnswer("crash", "crashed: the process has ended")
        began, starting, self._begun = time.monotonic_ns(), not self._begun, True
        try:
            answer = self._asked(ask)
        except NoAnswer as silence:
            self._silent(ask, silence)
            self._release(ask, began, starting=starting)
            raise
        self._release(ask, began, starting=starting)
        self._silences, self._grace_ms = 0, 0
        return answer

    def pretend(self) -> None:
        """Take about as long as an answer does, without a question; start the bot if it has not started yet."""
        if self._over or not self._freezes:
            return
        if not self._begun:
            self._begun = True
            self._start()
        self._stand_still(released_us(self._rhythm.usual(self), self._move_ms, self._rhythm.grid))

    def _release(self, ask: Ask, began: int, *, starting: bool) -> None:
        """Delay an answer until its time on the grid, before the table sees it."""
        took_us, self._move_ms = (time.monotonic_ns() - began) // 1000, ask.clock.move_ms
        if not starting:
            self._rhythm.note(self, took_us)
        self._stand_still(released_us(took_us, self._move_ms, self._rhythm.grid) - took_us)

    def _stand_still(self, left_us: int) -> None:
        while left_us > 0:
            time.sleep(min(left_us, SLICE_MS * 1000) / 1e6)
            left_us -= SLICE_MS * 1000
            if left_us > 0:
                self._on_wait()

    def _start(self) -> None:
        """Run the process until it waits for its first question, which would otherwise take longer than later ones."""
        self._clocks.start()
        self._thaw()
        try:
            while self._wire.exchange(1) is not False:
                spent = self._clocks.spent()
                if (self._clocks.asleep and (spent.idle_us or 0) > 1000) or (spent.wall_us or 0) > STARTUP_MS * 1000:
                    break
        except Flooded as error:
            self.faults.append((0, f"flooded: {error}"))
            self.close()
        finally:
            self._freeze()

    def _asked(self, ask: Ask) -> Answer:
        line = encode(AskLine.of(ask)) + b"\n"
        try:
            leave_behind(self._wire, ask)
            self._wire.outbox += line
            self._clocks.start(going_on=self._freezes)
            self._thaw()
            return self._wait(ask)
        except Nonsense as error:
            raise NoAnswer("nonsense", str(error), self._spent()) from error
        except Flooded as error:
            self.close()
            raise NoAnswer("nonsense", f"flooded: {error}", self._spent()) from error
        finally:
            self._freeze()

    def _thaw(self) -> None:
        if self._freezes:
            self._child.send(signal.SIGCONT)

    def _freeze(self) -> None:
        if self._freezes and not self._over:
            self._child.send(signal.SIGSTOP)

    def _silent(self, ask: Ask, silence: NoAnswer) -> None:
        self.faults.append((ask.id, str(silence)))
        self._silences += silence.excuse == "timeout"
        self._grace_ms = 0
        if silence.excuse == "crash" or self._silences >= PATIENCE:
            self.close()

    def _wait(self, ask: Ask) -> Answer:
        compute_ms = ask.limit_ms + self._grace_ms
        idle_ms = min(IDLE_MS, self._idle_left_ms) + self._grace_ms
        looked = time.monotonic()
        while True:
            moved = self._wire.exchange(SLICE_MS)
            if time.monotonic() - looked >= SLICE_MS / 1000:  # also for a bot that writes byte by byte
                self._on_wait()
                looked = time.monotonic()
            reply = take_answer(self._wire, ask)
            self._check(compute_ms, idle_ms, came=reply is not None)
            if reply is not None:
                if reply.note:
                    self.notes.append((ask.id, reply.note))
                return Answer(reply.choose, self._spent())
            if moved is False:
                raise NoAnswer("crash", f"crashed: {self._last_words()}", self._spent())

    def _check(self, compute_ms: int, idle_ms: int, *, came: bool) -> None:
        """Raise NoAnswer for an answer that is late or no longer awaited, HostFault if this machine is to blame."""
        spent = self._clocks.spent(silent=not came)
        if spent.charged_us > compute_ms * 1000:
            raise NoAnswer("timeout", f"overtime: no answer within {compute_ms} ms of computing", self._spent())
        if came:
            return
        if (spent.idle_us or 0) > idle_ms * 1000 and not self._clocks.runnable:
            raise NoAnswer("timeout", f"late: asleep for {idle_ms} ms", self._spent())
        wall_us, own_us = spent.wall_us or 0, spent.charged_us + (spent.idle_us or 0)
        if wall_us > (compute_ms + idle_ms + WALL_MS) * 1000 and own_us * STARVED < wall_us:
            raise HostFault(f"{self._name} waited for a processor: {spent}")

    def _spent(self) -> TimeSpent:
        """Return the cost of the decision, and subtract its sleep from the idle bank."""
        spent = self._clocks.spent()
        idle_us = max(0, (spent.idle_us or 0) - self._grace_ms * 1000)
        self._idle_left_ms = max(0, self._idle_left_ms - idle_us // 1000)
        if not self._metered:
            return TimeSpent()
        return TimeSpent(max(0, spent.charged_us - self._grace_ms * 1000), idle_us, spent.wall_us, spent.queued_us)

    def _last_words(self) -> str:
        self._wire.hear_stderr()
        return self.stderr.strip().rpartition("\n")[2][:200] or "the process ended without a word"

    def over(self, places: Sequence[int]) -> None:
        """Tell the bot that the match is over, and its places, without waiting for an answer."""
        if not self._over:
            self._wire.outbox += encode(OverLine(places)) + b"\n"
            self._wire.send()
            self._thaw()

    def close(self) -> None:
        """Kill the process and its group, and reap it."""
        if self._over:
            return
        self._over = True
        with contextlib.suppress(Flooded):
            self._wire.hear_stderr()
        self._child.end()
        self._clocks.close()
