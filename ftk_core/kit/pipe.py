"""A player behind a pipe: a process that speaks the bot protocol, believed in nothing.

Every wait is bounded. Thinking is charged by the process's own CPU clock; the wall clock is only
a backstop against a bot that sleeps.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
from collections.abc import Callable, Sequence
from typing import Self

from ftk_core.facts import encode
from ftk_core.kit.clock import Idleness, cpu_us
from ftk_core.kit.lines import ANSWER_BYTES, AskLine, BadReply, OverLine, Reply, read_reply
from ftk_core.players import Answer, Ask, Hello, NoAnswer

STDERR_BYTES = 16_384
"""As much of a bot's stderr is kept for its author."""
STARTUP_MS = 5000
"""Extra time for the interpreter to start and the first answer to come."""
IDLE_MS = 2000
"""How long a decision may sleep; waiting for a processor is not sleeping."""
PATIENCE = 3
"""After so many silent questions in a row the process is ended."""
LAUNCHER_SECONDS = 2
"""How long a launcher may take to collect its dead bot."""
SLICE_MS = 20
"""How often the clocks are looked at while a bot thinks."""


class PipePlayer:
    """A bot process in a seat; use it in a ``with`` block, which ends the process on every way out."""

    def __init__(
        self,
        name: str,
        process: subprocess.Popen[bytes],
        *,
        pid: int | None = None,
        waiting: Callable[[], None] = lambda: None,
        metered: bool = True,
    ) -> None:
        """Take over a process just started.

        `pid` is the one whose CPU clock counts; `waiting` is called while the bot keeps us waiting;
        an unmetered bot is held to the limits, but its log says nothing of microseconds, so that
        the same seed writes the same log.
        """
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self._name, self._process, self._pid = name, process, pid or process.pid
        self._handle = os.pidfd_open(self._pid)
        self._on_wait, self._metered = waiting, metered
        self._in, self._out, self._err = (f.fileno() for f in (process.stdin, process.stdout, process.stderr))
        for descriptor in (self._in, self._out, self._err):
            os.set_blocking(descriptor, False)
        self._outbox, self._inbox, self._stderr = bytearray(), bytearray(), bytearray()
        self._silences, self._grace_ms = 0, STARTUP_MS
        self._over, self._err_open = False, True
        self.notes: list[tuple[int, str]] = []
        """(question, text) for the author."""
        self.faults: list[tuple[int, str]] = []
        """(question, what went wrong) for the author."""

    @property
    def name(self) -> str:
        """What the log calls it."""
        return self._name

    @property
    def pid(self) -> int:
        """The process whose clock counts."""
        return self._pid

    @property
    def stderr(self) -> str:
        """The first part of what the bot wrote to stderr."""
        return self._stderr.decode(errors="replace")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def greet(self, hello: Hello) -> None:
        """Send the greeting with the first question."""
        self._outbox += encode(hello) + b"\n"

    def choose(self, ask: Ask) -> Answer:
        """Send the question and wait for its answer; raises NoAnswer."""
        if self._over:
            raise NoAnswer("crash", "the process has ended")
        self._outbox += encode(AskLine(ask.id, ask.view, ask.news, ask.menu, ask.bank_ms)) + b"\n"
        started = cpu_us(self._pid)
        try:
            self._hear_what_came_early(ask)
            answer = self._wait(ask, started)
        except NoAnswer as silence:
            self._silent(ask, silence)
            if not self._metered:
                silence.charged_us = 0
            raise
        self._silences, self._grace_ms = 0, 0
        return answer

    def _silent(self, ask: Ask, silence: NoAnswer) -> None:
        self.faults.append((ask.id, str(silence)))
        self._silences += silence.excuse == "timeout"
        self._grace_ms = 0
        if silence.excuse == "crash" or self._silences >= PATIENCE:
            self.close()

    def _hear_what_came_early(self, ask: Ask) -> None:
        """Drop old answers before the question goes out; one to the question itself was sent ahead."""
        self._receive()
        if self._take_reply(ask, 0) is not None:
            raise NoAnswer("nonsense", f"question {ask.id} was not yet asked")

    def _wait(self, ask: Ask, started: int) -> Answer:
        limit_ms = ask.limit_ms + self._grace_ms
        idle = Idleness(self._pid)
        while True:
            open_ended = self._exchange()
            charged = cpu_us(self._pid) - started
            charged_us = max(0, charged - self._grace_ms * 1000)
            reply = self._take_reply(ask, charged_us)
            if reply is not None:
                return self._judged(reply, ask, charged_us)
            if not open_ended:
                raise NoAnswer("crash", self._last_words(), charged_us)
            if charged > limit_ms * 1000:
                raise NoAnswer("timeout", f"no answer within {limit_ms} ms of computing", charged_us)
            if idle.ms > IDLE_MS + self._grace_ms:
                raise NoAnswer("timeout", f"asleep for {IDLE_MS} ms", charged_us)

    def _exchange(self) -> bool:
        """Move what can be moved in one slice; False once the bot's stdout is closed."""
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        if self._err_open:  # a closed one is always ready, and would spin
            poll.register(self._err, select.POLLIN)
        if self._outbox:
            poll.register(self._in, select.POLLOUT)
        events = poll.poll(SLICE_MS)
        if not events:
            self._on_wait()
        for descriptor, _event in events:
            if descriptor == self._in:
                self._send()
            elif descriptor == self._err:
                self._keep_stderr()
            elif not self._receive():
                return False
        return True

    def _send(self) -> None:
        try:
            del self._outbox[: os.write(self._in, self._outbox)]
        except BlockingIOError:
            return
        except OSError:  # the reader is gone; its closed stdout will say so
            self._outbox.clear()

    def _receive(self) -> bool:
        try:
            data = os.read(self._out, 65_536)
        except BlockingIOError:
            return True
        self._inbox += data
        return bool(data)

    def _keep_stderr(self) -> None:
        with contextlib.suppress(OSError):
            data = os.read(self._err, 65_536)
            self._stderr += data[: max(0, STDERR_BYTES - len(self._stderr))]
            self._err_open = bool(data)

    def _take_reply(self, ask: Ask, charged_us: int) -> Reply | None:
        """Return the answer to this question if it has come, dropping answers to earlier ones."""
        while (end := self._inbox.find(b"\n")) >= 0:
            line = bytes(self._inbox[:end])
            del self._inbox[: end + 1]
            try:
                reply = read_reply(line)
            except BadReply as error:
                raise NoAnswer("nonsense", str(error), charged_us) from error
            if reply.id == ask.id:
                return reply
            if reply.id > ask.id:
                raise NoAnswer("nonsense", f"question {reply.id} was not yet asked", charged_us)
        if len(self._inbox) > ANSWER_BYTES:
            self._inbox.clear()
            raise NoAnswer("nonsense", f"an answer is longer than {ANSWER_BYTES} bytes", charged_us)
        return None

    def _judged(self, reply: Reply, ask: Ask, charged_us: int) -> Answer:
        if not 0 <= reply.choose < len(ask.menu):
            detail = f"choose is {reply.choose}, the menu has items 0 to {len(ask.menu) - 1}"
            raise NoAnswer("nonsense", detail, charged_us)
        if reply.note:
            self.notes.append((ask.id, reply.note))
        return Answer(reply.choose, charged_us if self._metered else 0)

    def _last_words(self) -> str:
        self._keep_stderr()
        return self.stderr.strip().rpartition("\n")[2][:200] or "the process ended without a word"

    def over(self, places: Sequence[int]) -> None:
        """Tell the bot how it ended, without waiting for it."""
        if not self._over:
            self._outbox += encode(OverLine(places)) + b"\n"
            self._send()

    def close(self) -> None:
        """End the process, with everything in its group, and collect it."""
        if self._over:
            return
        self._over = True
        self._keep_stderr()
        with contextlib.suppress(ProcessLookupError):  # by handle: it may have left the group
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        os.close(self._handle)
        if self._pid != self._process.pid:  # a launcher collects its bot and then ends by itself
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(LAUNCHER_SECONDS)
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):  # a dead bot's buffered stdin raises again on close
                assert stream
                stream.close()
