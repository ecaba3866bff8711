"""Local processes of a bot that plays on a server, one for each seat."""

from __future__ import annotations

import asyncio
import json
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from gettext import gettext as _
from pathlib import Path
from typing import Any

from ftk_core.kit.client.bot_output_lines import decode_answer, read_line
from ftk_core.kit.protocol.child_process import make_python_variables
from ftk_core.kit.protocol.child_termination import add_parent_death_signal, kill_group
from ftk_core.kit.protocol.protocol_lines import ANSWER_BYTES

GOODBYE_SECONDS = 2
PrintLine = Callable[[str], None]
SendLine = Callable[[str, Any], None]


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
