"""A player that runs as a process and speaks the bot protocol over pipes."""
# Its output is not trusted, and every wait is bounded. Computing time is measured by the process's own CPU clock;
# sleeping counts against a separate budget per match. If a bot gets no processor for long, so that it hardly computes
# or sleeps, the host is at fault.

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Self

from ftk_core.facts import encode
from ftk_core.kit.protocol.answer_time_rounding import RecentAnswerTimes, release_time_us
from ftk_core.kit.protocol.answer_to_question_matching import MalformedAnswerError, discard_earlier_lines, take_answer
from ftk_core.kit.protocol.bot_pipes import BotOutputLimitExceeded, BotPipes
from ftk_core.kit.protocol.child_process import ChildProcess
from ftk_core.kit.protocol.cpu_clock import BotProcessTimer
from ftk_core.kit.protocol.protocol_lines import MatchOverLine, QuestionLine
from ftk_core.log_entries import TimeControl
from ftk_core.players import DecisionTime, HelloMessage, HostOverloadError, NoAnswerError, PlayerAnswer, QuestionToSeat

STARTUP_MS = 5000
"""Additional computing time in milliseconds for the interpreter's start, the imports and the first answer."""
IDLE_MS = 2000
"""Maximum sleep per decision in milliseconds; waiting for a processor is not sleep."""
IDLE_BANK_MS = 15_000
"""Maximum sleep per match in milliseconds."""
WALL_MS = 60_000
"""Wall time in ms that a starved bot (see `STARVED_RATIO`) may need beyond its limits; then the host is at fault."""
STARVED_RATIO = 100
"""A bot is starved if the machine gives it no processor: it computes and sleeps for less than 1/STARVED_RATIO of the
wall time."""
MAX_CONSECUTIVE_TIMEOUTS = 3
"""Number of timeouts without a valid answer between them, after which the bot's process is ended."""
POLL_MS = 20
"""Interval in milliseconds at which the clocks are read while a bot computes."""


class BotProcessPlayer:
    """A bot process that plays a seat. Use it in a ``with`` block, which ends the process."""

    def __init__(
        self,
        name: str,
        child: ChildProcess,
        *,
        waiting: Callable[[], None] = lambda: None,
        metered: bool = True,
        suspends_when_idle: bool = False,
        rounded_times: RecentAnswerTimes | None = None,
        clocks: BotProcessTimer | None = None,
    ) -> None:
        """Take over a bot's process that was just started. `suspends_when_idle` stops the process between questions.

        Each wait for the bot calls `waiting` regularly. `metered` adds times to the answers, for the log.
        `rounded_times` delays each answer to a rounded time, which hides how long the bot computed. All players of a
        match must get the same object.
        """
        # Logs without times are equal if the seeds are equal.
        self._name, self._child, self._wire = name, child, BotPipes(child)
        self._clocks = clocks or BotProcessTimer(child.pid)
        self._on_wait, self._metered, self._suspends_when_idle = waiting, metered, suspends_when_idle
        self._silences, self._grace_ms, self._idle_left_ms = 0, STARTUP_MS, IDLE_BANK_MS
        self._move_ms, self._rounded_times = TimeControl().move_ms, rounded_times or RecentAnswerTimes()
        self._begun, self._over, self._looked = False, False, time.monotonic()
        self.notes: list[tuple[int, str]] = []
        """Pairs (question number, note of the bot) for the bot's author."""
        self.faults: list[tuple[int, str]] = []
        """Pairs (question number, fault) for the bot's author."""
        self.built = ""
        """The compiler's output, for the bot's author."""
        self.memory: int | None = None
        """Peak memory use of the bot in bytes; None if it was not measured."""
        self._freeze()

    @property
    def name(self) -> str:
        """The player's name in the log."""
        return self._name

    @property
    def pid(self) -> int:
        """Process id of the process whose CPU clock is measured."""
        return self._child.pid

    @property
    def stderr(self) -> str:
        """The stored first part of the bot's error output."""
        return self._wire.stderr

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def greet(self, hello: HelloMessage) -> None:
        """Queue the greeting line."""
        # It is sent at the next exchange of lines, at the latest with the first question.
        self._wire.outbox += encode(hello) + b"\n"

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        """Send a question to the bot and wait for its answer.

        Raises NoAnswerError, or HostOverloadError if this machine was too busy.
        """
        if self._over:
            raise NoAnswerError("crash", "crashed: the process has ended")
        began, starting, self._begun = time.monotonic_ns(), not self._begun, True
        try:
            answer = self._exchange_lines(ask)
        except NoAnswerError as silence:
            self._note_missing_answer(ask, silence)
            self._release(ask, began, starting=starting)
            raise
        self._release(ask, began, starting=starting)
        self._silences, self._grace_ms = 0, 0
        return answer

    def wait_as_if_asked(self, _ask: QuestionToSeat | None = None, /) -> None:
        """Wait for the bot's usual answer time if `suspends_when_idle` is set, to hide that no question was asked."""
        if self._over or not self._suspends_when_idle:
            return
        if not self._begun:
            self._begun = True
            self._start()
        median_us = self._rounded_times.median_answer_time_us(self)
        self._stand_still(release_time_us(median_us, self._move_ms, self._rounded_times.grid))

    def _release(self, ask: QuestionToSeat, began: int, *, starting: bool) -> None:
        """Delay an answer, to hide from other seats how long it took."""
        took_us, self._move_ms = (time.monotonic_ns() - began) // 1000, ask.clock.move_ms
        if not starting:
            self._rounded_times.note(self, took_us)
        self._stand_still(release_time_us(took_us, self._move_ms, self._rounded_times.grid) - took_us)

    def _stand_still(self, left_us: int) -> None:
        while left_us > 0:
            time.sleep(min(left_us, POLL_MS * 1000) / 1e6)
            left_us -= POLL_MS * 1000
            if left_us > 0:
                self._on_wait()

    def _start(self) -> None:
        """Run the process until it waits for its first question."""
        # Its start does not count as thinking time.
        self._clocks.start()
        self._thaw()
        try:
            while self._wire.exchange(1) is not False:
                spent = self._clocks.spent()
                if (self._clocks.asleep and (spent.idle_us or 0) > 1000) or (spent.wall_us or 0) > STARTUP_MS * 1000:
                    break
        except BotOutputLimitExceeded as error:
            self.faults.append((0, f"flooded: {error}"))
            self.close()
        finally:
            self._freeze()

    def _exchange_lines(self, ask: QuestionToSeat) -> PlayerAnswer:
        line = encode(QuestionLine.of(ask)) + b"\n"
        try:
            fault = discard_earlier_lines(self._wire, ask)
            self._wire.outbox += line
            self._clocks.start(charges_earlier_cpu=self._suspends_when_idle)
            self._thaw()
            if fault:
                self._wire.send()
                raise fault
            return self._wait(ask)
        except MalformedAnswerError as error:
            raise NoAnswerError("nonsense", str(error), self._spent()) from error
        except BotOutputLimitExceeded as error:
            self.close()
            raise NoAnswerError("nonsense", f"flooded: {error}", self._spent()) from error
        finally:
            self._freeze()

    def _thaw(self) -> None:
        if self._suspends_when_idle:
            self._child.resume()

    def _freeze(self) -> None:
        if self._suspends_when_idle and not self._over:
            self._child.suspend()

    def _note_missing_answer(self, ask: QuestionToSeat, silence: NoAnswerError) -> None:
        self.faults.append((ask.id, str(silence)))
        self._silences += silence.excuse == "timeout"
        self._grace_ms = 0
        if silence.excuse == "crash" or self._silences >= MAX_CONSECUTIVE_TIMEOUTS:
            self.close()

    def _wait(self, ask: QuestionToSeat) -> PlayerAnswer:
        compute_ms = ask.limit_ms + self._grace_ms
        idle_ms = min(IDLE_MS, self._idle_left_ms) + self._grace_ms
        while True:
            moved = self._wire.exchange(POLL_MS)
            if time.monotonic() - self._looked >= POLL_MS / 1000:  # `exchange` returns early for bytes and fast answers
                self._on_wait()
                self._looked = time.monotonic()
            reply = take_answer(self._wire, ask)
            self._check(compute_ms, idle_ms, came=reply is not None)
            if reply is not None:
                if reply.note:
                    self.notes.append((ask.id, reply.note))
                return PlayerAnswer(reply.choose, self._spent())
            if moved is False:
                error = self._wire.read_final_error()[:200] or "the process ended without a word"
                raise NoAnswerError("crash", f"crashed: {error}", self._spent())

    def _check(self, compute_ms: int, idle_ms: int, *, came: bool) -> None:
        """Raise NoAnswerError after a timeout, or HostOverloadError if the bot got no CPU time."""
        spent = self._clocks.spent(silent=not came)
        if spent.charged_us > compute_ms * 1000:
            raise NoAnswerError("timeout", f"overtime: no answer within {compute_ms} ms of computing", self._spent())
        if came:  # the bot has answered
            return
        idle_us, wall_us, limit_us = spent.idle_us or 0, spent.wall_us or 0, idle_ms * 1000
        if self._clocks.certain_idle_us > limit_us or (idle_us > limit_us and not self._clocks.runnable):
            raise NoAnswerError("timeout", f"late: asleep for {idle_ms} ms", self._spent())
        if wall_us > (compute_ms + idle_ms + WALL_MS) * 1000 and (spent.charged_us + idle_us) * STARVED_RATIO < wall_us:
            raise HostOverloadError(f"{self._name} waited for a processor: {spent}")

    def _spent(self) -> DecisionTime:
        """Return the time that the current decision took, and subtract the bot's sleep from the match's allowance."""
        spent = self._clocks.spent()
        idle_us = max(0, (spent.idle_us or 0) - self._grace_ms * 1000)
        self._idle_left_ms = max(0, self._idle_left_ms - idle_us // 1000)
        if not self._metered:
            return DecisionTime()
        return DecisionTime(max(0, spent.charged_us - self._grace_ms * 1000), idle_us, spent.wall_us, spent.queued_us)

    def over(self, places: Sequence[int]) -> None:
        """Send the bot the final ranks of all seats, without waiting for an answer."""
        if not self._over:
            self._wire.outbox += encode(MatchOverLine(places)) + b"\n"
            self._wire.send()
            self._thaw()

    def close(self) -> None:
        """Kill the bot's process and its process group, and reap the process."""
        if self._over:
            return
        self._over = True
        with contextlib.suppress(BotOutputLimitExceeded):
            self._wire.hear_stderr()
        self._child.end()
        self._clocks.close()
