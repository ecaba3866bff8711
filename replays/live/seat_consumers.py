"""WebSocket consumer of remote bots: one connection carries the lines of all matches of a bot."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import Error

from bots.outside import NotOutside, find_remote
from ftk_core.kit.lines import ANSWER_BYTES, BadReply, read_reply
from replays.live.porters import FAILED, OpenLetter, SeatLine, in_thread, now, porter
from replays.live.text_forms import text_of
from replays.seats.attendance import Verdict

BAD_MESSAGE, NO_BOT, TOO_MANY = 4400, 4404, 4429
MESSAGE_BYTES = 2 * ANSWER_BYTES
"""Upper bound of an envelope with a valid answer."""
A_SECOND = 400
"""Maximum number of messages per second from one program."""


class Envelope(msgspec.Struct, forbid_unknown_fields=True):
    """A program's message: a line and its seat."""

    seat: str
    line: msgspec.Raw


_envelopes = msgspec.json.Decoder(Envelope)


class SeatConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels ships no types
    """Relays lines between a remote bot's program and its mailboxes; the token was checked before."""

    channel_layer_alias = "none"
    """The relay receives the notifications, once for all connections."""
    line: SeatLine | None
    _in_words: bool
    """True if each question is also sent as text."""
    _writing: asyncio.Task[None] | None
    _closing: asyncio.Task[None] | None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a socket; its bot is absent afterwards."""
        self._forget()
        try:
            await super().__call__(scope, receive, send)
        finally:
            if self._writing is not None:
                self._writing.cancel()
            if self.line is not None:
                await porter().leave(self.line)

    def _forget(self) -> None:
        self.line = self._writing = self._closing = None
        self._second, self._count = 0.0, 0

    async def connect(self) -> None:
        """Accept a remote bot's program and send its seats; an older connection of the bot is closed."""
        asked = dict(parse_qsl(self.scope["query_string"].decode("latin-1")))
        await self.accept()
        try:
            bot_id = await in_thread(find_remote, self.scope["user"], asked.get("bot", ""))
        except NotOutside as error:
            await self.close(NO_BOT, str(error)[:120])
            return
        self._in_words = asked.get("form") == "text"
        line = SeatLine(bot_id, self.scope["token_id"], self._close_soon)
        try:
            seats = await porter().join(line)
        except Error:
            await self.close(FAILED)
            return
        self.line = line
        allowance_ms = settings.SEATS["allowance_ms"]
        open_seats = [f"{match}/{seat}" for match, seat in seats]
        await self._say({"open": open_seats, "allowance_ms": allowance_ms})
        self._writing = asyncio.create_task(self._write(line))

    async def _say(self, message: dict[str, Any]) -> None:
        await self.send(text_data=msgspec.json.encode(message).decode())

    async def _write(self, line: SeatLine) -> None:
        """Send queued messages in order; a question's clock starts when it is sent."""
        while True:
            seat, text, letter = await line.outbox.get()
            message = {"seat": seat, "line": msgspec.Raw(text.encode())}
            if letter is not None and self._in_words:
                match_id, _, number = seat.partition("/")
                message["text"] = await in_thread(text_of, match_id, int(number), text)
            if letter is not None:
                letter.sent = now()
            await self._say(message)

    def _close_soon(self, code: int) -> None:
        if self._closing is None:
            self._closing = asyncio.create_task(self.close(code))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:  # noqa: ARG002 - channels calls it so
        """Process an answer; an invalid envelope closes the socket with a specific code."""
        came = now()
        if self._is_flooded(came):
            await self.close(TOO_MANY)
            return
        try:
            envelope = _envelopes.decode((text_data or "")[:MESSAGE_BYTES])
        except msgspec.MsgspecError:
            await self.close(BAD_MESSAGE)
            return
        line = self.line
        letter = line.open.get(envelope.seat) if line else None
        verdict = judge(letter, bytes(envelope.line), came) if letter else None
        if line and verdict:
            del line.open[envelope.seat]
            porter().take(verdict)

    def _is_flooded(self, came: float) -> bool:
        if came - self._second >= 1:
            self._second, self._count = came, 0
        self._count += 1
        return self._count > A_SECOND


def judge(letter: OpenLetter, line: bytes, came: float) -> Verdict | None:
    """Return the outcome of a line for the open question; None for an answer to an earlier one, which is dropped."""
    took_ms = min(letter.took_ms(came), (1 << 31) - 1)
    verdict = Verdict(seat_id=letter.seat_id, number=letter.number, choice=None, took_ms=took_ms)
    try:
        reply = read_reply(line)
    except BadReply as error:
        return replace(verdict, fault=f"malformed: {error}")
    if reply.id < letter.number:
        return None
    if reply.id > letter.number:
        return replace(verdict, fault=f"malformed: question {reply.id} was not yet asked")
    if not 0 <= reply.choose < letter.items:
        fault = f"refused: choose is {reply.choose}, the menu has items 0 to {letter.items - 1}"
        return replace(verdict, fault=fault)
    return replace(verdict, choice=reply.choose, note=reply.note)
