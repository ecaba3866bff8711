"""WebSocket connection between a server's `/seat` endpoint and bots on this machine."""
# Needs the package `websockets` (extra `remote`), which the rest of `ftk` does not need.

from __future__ import annotations

import asyncio
import json
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from gettext import gettext as _
from pathlib import Path
from typing import Any, Protocol

from ftk_core.i18n import N_
from ftk_core.kit.client.bot_output_lines import decode_answer, read_line
from ftk_core.kit.protocol.child_process import make_python_variables
from ftk_core.kit.protocol.child_termination import add_parent_death_signal, kill_group
from ftk_core.kit.protocol.protocol_lines import ANSWER_BYTES

FINAL_CLOSE_CODES = {
    4400: N_("the arena does not understand what was sent: is the kit as new as the arena?"),
    4401: N_("the token has expired or was revoked; `ftk login` gets a new one"),
    4404: "",
    4409: N_("the bot has connected from somewhere else; that connection replaces this one"),
    4429: N_("too many messages in a second"),
}
"""WebSocket close code after which reconnecting is useless -> message to show; if empty, show the arena's reason."""
GOODBYE_SECONDS = 2
MAX_QUESTION_BYTES = 16 * 1024 * 1024
PrintLine = Callable[[str], None]
SendLine = Callable[[str, Any], None]


class ArenaConnectionLost(Exception):
    """Raised when the server closed the connection and reconnecting is useless; the message gives reason and remedy."""


class ArenaMoveRequestHandler(Protocol):
    """Interface of an object that answers the server's questions for all seats in which a bot plays."""

    def hear(self, seat: str, line: dict[str, Any], text: str) -> None:
        """Receive a protocol line that the server sends to a seat, without blocking.

        `text` is the content of `line` in words, for a person who plays.
        """

    def end_other_seats(self, seats: Sequence[str]) -> None:
        """Forget every seat that is not in `seats`: its match ended while the connection was lost."""

    async def end(self) -> None:
        """Stop answering and release all processes and tasks."""


class ArenaConnection:
    """WebSocket connection of one bot to the server that runs its matches."""

    def __init__(self, url: str, token: str, say: PrintLine) -> None:
        self._url, self._token, self._say = url, token, say
        self._outbox: asyncio.Queue[str] = asyncio.Queue()

    def send(self, seat: str, line: Any) -> None:
        """Queue an answer line from a seat for the server."""
        # A line that is unsent when the connection is lost is dropped: the server asks again.
        self._outbox.put_nowait(_encode({"seat": seat, "line": line}))

    async def run(self, answering: ArenaMoveRequestHandler) -> None:
        """Connect and answer the server's questions until cancelled; raises ArenaConnectionLost."""
        from websockets.asyncio.client import connect  # an optional package; callers report it missing beforehand
        from websockets.exceptions import ConnectionClosed, InvalidStatus

        header = {"Authorization": f"Token {self._token}"}
        try:
            async for socket in connect(self._url, additional_headers=header, max_size=MAX_QUESTION_BYTES):
                with suppress(ConnectionClosed):
                    await self._serve(socket, answering)
                if socket.close_code in FINAL_CLOSE_CODES:
                    raise ArenaConnectionLost(
                        FINAL_CLOSE_CODES[socket.close_code] or socket.close_reason or _("no such bot")
                    )
                self._say(_("the connection is lost; reconnecting ..."))
        except InvalidStatus as error:
            reason = (error.response.body or b"").decode(errors="replace").strip()
            raise ArenaConnectionLost(
                reason or _("the arena answers {status_code}").format(status_code=error.response.status_code)
            ) from error
        finally:
            await answering.end()

    async def _serve(self, socket: Any, answering: ArenaMoveRequestHandler) -> None:
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

    def _take(self, message: dict[str, Any], answering: ArenaMoveRequestHandler) -> None:
        if "open" in message:
            self._say(_("connected; {seats} seats are in use").format(seats=len(message["open"])))
            answering.end_other_seats(message["open"])
        elif "seat" in message:
            answering.hear(message["seat"], message["line"], message.get("text", ""))


class LocalBotProcess:
    """A local bot process that plays one seat of a match."""

    # The process gets each question once, even if the server repeats it.

    def __init__(self, seat: str, command: Sequence[str], folder: Path | None, send: SendLine, say: PrintLine) -> None:
        self._seat, self._command, self._folder, self._send, self._say = seat, command, folder, send, say
        self._hello: dict[str, Any] = {}
        self._asked = 0
        self._answer: Any = None
        self._lines: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._process: Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._task = asyncio.create_task(self._serve())

    def hear(self, line: dict[str, Any]) -> None:
        """Handle a protocol line from the server.

        Store a greeting until the process starts. If the newest question is repeated, send the bot's answer again, if
        it is known. Pass all other lines to the process.
        """
        # The server repeats a question after a lost connection.
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
                await self._write_to_process(line)
                if line["type"] == "over":
                    return
        finally:
            await self._end()

    async def _write_to_process(self, line: dict[str, Any]) -> None:
        """Write a protocol line to the bot's process. Start the process first if it is not running."""
        # The line that ends a match does not start a process.
        if self._process is None or self._process.returncode is not None:
            if line["type"] == "over":
                return
            self._process = await asyncio.create_subprocess_exec(
                *add_parent_death_signal(self._command),
                stdin=PIPE,
                stdout=PIPE,
                cwd=self._folder,
                env={**os.environ, **make_python_variables()},
                start_new_session=True,
                limit=2 * ANSWER_BYTES,
            )
            self._reading = asyncio.create_task(self._read(self._process))
            self._write(self._hello)
        self._write(line)

    def _write(self, line: dict[str, Any]) -> None:
        assert self._process
        assert self._process.stdin
        with suppress(ConnectionError):
            self._process.stdin.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")

    async def _read(self, process: Process) -> None:
        assert process.stdout is not None
        while line := await read_line(process.stdout):
            self._answer = decode_answer(line)
            self._send(self._seat, self._answer)
        code = await process.wait()
        self._say(_("{seat}: the bot ended with {code}").format(seat=self._seat, code=code))

    async def _end(self) -> None:
        process = self._process
        if process is None or process.stdin is None:
            return
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), GOODBYE_SECONDS)
        except (TimeoutError, asyncio.CancelledError):
            kill_group(process.pid)
            await process.wait()

    async def end(self) -> None:
        """End the bot's process."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    @property
    def over(self) -> bool:
        """True once the seat's match is over."""
        return self._task.done()


def _encode(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


class LocalBotProcesses:
    """Local bot processes, one for each seat in which the bot plays."""

    def __init__(self, command: Sequence[str], folder: Path | None, send: SendLine, say: PrintLine) -> None:
        self._command, self._folder, self._send, self._say = command, folder, send, say
        self._bots: dict[str, LocalBotProcess] = {}

    def hear(self, seat: str, line: dict[str, Any], text: str) -> None:  # noqa: ARG002 - `text` is for people
        """Pass a protocol line to the seat's process, which is created if needed."""
        if line["type"] == "over":
            places = line["places"]
            message = _("{seat}: over, places {places}") if places else _("{seat}: over, without places")
            self._say(message.format(seat=seat, places=places))
        self._bots = {name: bot for name, bot in self._bots.items() if not bot.over}
        if seat not in self._bots:
            self._bots[seat] = LocalBotProcess(seat, self._command, self._folder, self._send, self._say)
        self._bots[seat].hear(line)

    def end_other_seats(self, seats: Sequence[str]) -> None:
        """End the process of each seat that is not in `seats`."""
        # Their matches ended while the connection was lost.
        for seat in self._bots.keys() - set(seats):
            self._bots[seat].hear({"type": "over", "places": []})

    async def end(self) -> None:
        """End the bot processes of all seats."""
        await asyncio.gather(*(bot.end() for bot in self._bots.values()))
