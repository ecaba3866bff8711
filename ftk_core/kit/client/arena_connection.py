"""WebSocket connection between a server's `/seat` endpoint and bots on this machine."""
# Needs the package `websockets` (extra `remote`), which the rest of `ftk` does not need.

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from gettext import gettext as _
from typing import Any, Protocol

from ftk_core.i18n import N_

FINAL_CLOSE_CODES = {
    4400: N_("the arena does not understand what was sent: is the kit as new as the arena?"),
    4401: N_("the token has expired or was revoked; `ftk login` gets a new one"),
    4404: "",
    4409: N_("the bot has connected from somewhere else; that connection replaces this one"),
    4429: N_("too many messages in a second"),
}
"""WebSocket close code after which reconnecting is useless -> message to show; if empty, show the arena's reason."""
PASSING_STATUSES = {429, 500, 502, 503, 504}
"""Status codes of a server that may accept the connection later."""
LONGEST_PAUSE_SECONDS = 10.0
"""Longest pause between two attempts to connect, far below the time for which an arena waits for a bot that is away."""
MAX_QUESTION_BYTES = 16 * 1024 * 1024
PrintLine = Callable[[str], None]


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
        pause = 0.0
        try:
            while True:
                began = time.monotonic()
                await self._connect_once(answering)
                if time.monotonic() - began > LONGEST_PAUSE_SECONDS:
                    pause = 0.0
                await self._wait(pause * random.uniform(0.5, 1))  # noqa: S311 - so that not all bots return at once
                pause = min(LONGEST_PAUSE_SECONDS, max(1.0, 2 * pause))
        finally:
            await answering.end()

    async def _wait(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _connect_once(self, answering: ArenaMoveRequestHandler) -> None:
        """Connect, and answer questions until the connection is lost; raises ArenaConnectionLost if it is for good."""
        from websockets.asyncio.client import connect  # an optional package; callers report it missing beforehand
        from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

        header = {"Authorization": f"Token {self._token}"}
        try:
            async with connect(self._url, additional_headers=header, max_size=MAX_QUESTION_BYTES) as socket:
                with suppress(ConnectionClosed):
                    await self._serve(socket, answering)
        except InvalidStatus as error:
            if error.response.status_code in PASSING_STATUSES:
                return
            reason = (error.response.body or b"").decode(errors="replace").strip()
            raise ArenaConnectionLost(
                reason or _("the arena answers {status_code}").format(status_code=error.response.status_code)
            ) from error
        except (OSError, WebSocketException):
            return
        if socket.close_code in FINAL_CLOSE_CODES:
            raise ArenaConnectionLost(FINAL_CLOSE_CODES[socket.close_code] or socket.close_reason or _("no such bot"))
        self._say(_("the connection is lost; reconnecting ..."))

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


def _encode(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
