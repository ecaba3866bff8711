"""The connection between an arena's `/seat` endpoint and bots on this machine; it reconnects automatically.

Needs the package `websockets` (extra `remote`), which the rest of the kit does not need.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol

from ftk_core.kit.lifeline import tied
from ftk_core.kit.lines import ANSWER_BYTES

FINAL = {
    4400: "the arena does not understand what was sent: is the kit as new as the arena?",
    4401: "the token has expired or was revoked; `ftk login` gets a new one",
    4404: "",
    4409: "the bot has connected from somewhere else, which takes over here",
    4429: "too many messages in a second",
}
"""Close codes after which reconnecting is useless, with the message to show; if empty, the arena's reason is shown."""
GOODBYE_SECONDS = 2
LONGEST_QUESTION = 16 * 1024 * 1024
Say = Callable[[str], None]
Send = Callable[[str, Any], None]


class LineEnded(Exception):
    """Raised when the arena has closed the connection for good; the message gives the reason and the remedy."""


class Answering(Protocol):
    """Interface of an answerer for all seats of a bot."""

    def hear(self, seat: str, line: dict[str, Any], text: str) -> None:
        """Accept a line for a seat without blocking; answers are sent later."""

    def keep(self, seats: Sequence[str]) -> None:
        """Drop all seats except these."""

    async def end(self) -> None:
        """Release all resources."""


class Bridge:
    """One bot's connection."""

    def __init__(self, url: str, token: str, say: Say) -> None:
        self._url, self._token, self._say = url, token, say
        self._outbox: asyncio.Queue[str] = asyncio.Queue()

    def send(self, seat: str, line: Any) -> None:
        """Queue a line for a seat.

        Lines that are unsent when the connection is lost are dropped: the arena asks the question again.
        """
        self._outbox.put_nowait(json.dumps({"seat": seat, "line": line}))

    async def run(self, answering: Answering) -> None:
        """Serve until cancelled; raises LineEnded."""
        from websockets.asyncio.client import connect  # an optional package; callers report it missing beforehand
        from websockets.exceptions import ConnectionClosed, InvalidStatus

        header = {"Authorization": f"Token {self._token}"}
        try:
            async for socket in connect(self._url, additional_headers=header, max_size=LONGEST_QUESTION):
                with suppress(ConnectionClosed):
                    await self._serve(socket, answering)
                if socket.close_code in FINAL:
                    raise LineEnded(FINAL[socket.close_code] or socket.close_reason or "no such bot")
                self._say("the connection is lost; dialing again ...")
        except InvalidStatus as error:
            said = (error.response.body or b"").decode(errors="replace").strip()
            raise LineEnded(said or f"the arena answers {error.response.status_code}") from error
        finally:
            await answering.end()

    async def _serve(self, socket: Any, answering: Answering) -> None:
        self._outbox = asyncio.Queue()
        writing = asyncio.create_task(self._write(socket))
        try:
            async for message in socket:
                self._take(json.loads(message), answering)
        finally:
            writing.cancel()

    async def _write(self, socket: Any) -> None:
        while True:
            await socket.send(await self._outbox.get())

    def _take(self, message: dict[str, Any], answering: Answering) -> None:
        if "open" in message:
            self._say(f"connected; {len(message['open'])} seats are in use")
            answering.keep(message["open"])
        elif "seat" in message:
            answering.hear(message["seat"], message["line"], message.get("text", ""))


class LocalBot:
    """One local process for one seat; it receives each question once, even if the arena repeats it."""

    def __init__(self, seat: str, command: Sequence[str], folder: str | None, send: Send, say: Say) -> None:
        self._seat, self._command, self._folder, self._send, self._say = seat, command, folder, send, say
        self._hello: dict[str, Any] = {}
        self._asked = 0
        self._answer: Any = None
        self._lines: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._process: Process | None = None
        self._task = asyncio.create_task(self._serve())

    def hear(self, line: dict[str, Any]) -> None:
        """Accept a line; a repeated question is answered again without asking the process."""
        if line["type"] == "hello":
            self._hello = line
        elif line["type"] == "ask" and line["id"] == self._asked:
            if self._answer is not None:
                self._send(self._seat, self._answer)
        else:
            self._asked, self._answer = line.get("id", self._asked), None
            self._lines.put_nowait(line)

    async def _serve(self) -> None:
        try:
            while True:
                line = await self._lines.get()
                await self._tell(line)
                if line["type"] == "over":
                    return
        finally:
            await self._end()

    async def _tell(self, line: dict[str, Any]) -> None:
        """Write a line to the process; start a new process if it has ended."""
        if self._process is None or self._process.returncode is not None:
            if line["type"] == "over":
                return
            self._process = await asyncio.create_subprocess_exec(
                *tied(self._command),
                stdin=PIPE,
                stdout=PIPE,
                cwd=self._folder,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                start_new_session=True,
                limit=2 * ANSWER_BYTES,
            )
            asyncio.create_task(self._read(self._process)).add_done_callback(lambda done: done.exception())
            self._write(self._hello)
        self._write(line)

    def _write(self, line: dict[str, Any]) -> None:
        assert self._process
        assert self._process.stdin
        with suppress(ConnectionError):
            self._process.stdin.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")

    async def _read(self, process: Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            try:
                self._answer = json.loads(line)
            except ValueError:
                self._answer = line.decode(errors="replace").strip()  # the arena reports the format error
            self._send(self._seat, self._answer)
        self._say(f"{self._seat}: the bot ended with {await process.wait()}")

    async def _end(self) -> None:
        process = self._process
        if process is None or process.stdin is None:
            return
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), GOODBYE_SECONDS)
        except (TimeoutError, asyncio.CancelledError):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()

    async def end(self) -> None:
        """End the process."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    @property
    def over(self) -> bool:
        """True once the match is over."""
        return self._task.done()


class LocalBots:
    """Local processes, one for each seat of a bot."""

    def __init__(self, command: Sequence[str], folder: str | None, send: Send, say: Say) -> None:
        self._command, self._folder, self._send, self._say = command, folder, send, say
        self._bots: dict[str, LocalBot] = {}

    def hear(self, seat: str, line: dict[str, Any], text: str) -> None:  # noqa: ARG002 - a person is told in words
        """Pass a line to the seat's process."""
        if line["type"] == "over":
            self._say(f"{seat}: over, places {line['places'] or 'none'}")
        self._bots = {name: bot for name, bot in self._bots.items() if not bot.over}
        if seat not in self._bots:
            self._bots[seat] = LocalBot(seat, self._command, self._folder, self._send, self._say)
        self._bots[seat].hear(line)

    def keep(self, seats: Sequence[str]) -> None:
        """End the processes of all other seats: their matches ended while the connection was lost."""
        for seat in self._bots.keys() - set(seats):
            self._bots[seat].hear({"type": "over", "places": []})

    async def end(self) -> None:
        """End all processes."""
        await asyncio.gather(*(bot.end() for bot in self._bots.values()))
