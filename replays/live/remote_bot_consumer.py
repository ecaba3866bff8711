"""WebSocket consumer for remote bots: one connection carries the protocol messages of all matches of a bot."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import msgspec
import structlog
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import Error

from bots.remote_bots import RemoteBotUnavailable, find_remote
from ftk_core.kit.protocol.protocol_lines import ANSWER_BYTES, InvalidBotAnswerError, read_reply
from replays.live.remote_bot_question_text import question_text
from replays.live.remote_bot_relay import (
    FAILED,
    NO_BOT,
    PendingRemoteQuestion,
    RemoteBotConnection,
    get_relay,
    now,
    run_in_thread,
)
from replays.live.spectator_sockets import SERVER_STOPS
from replays.seats.remote_bot_presence import RemoteQuestionOutcome

log = structlog.get_logger(__name__)
BAD_MESSAGE, TOO_MANY = 4400, 4429
SERVICE_RESTART = 1012
"""Close code with which a server ends its connections before it stops; a client can send it, too."""
MESSAGE_BYTES = 2 * ANSWER_BYTES
"""Maximum size of one WebSocket message in bytes: room for the longest answer and the JSON around it."""
MAX_REASON_BYTES = 123
"""Maximum size of a close reason in bytes (RFC 6455)."""
MESSAGES_PER_SECOND = 400
"""Maximum number of messages per second from one program."""


class IncomingRemoteBotMessage(msgspec.Struct, forbid_unknown_fields=True):
    """A line of the bot protocol from a remote bot's program.

    The seat has the form ``<match id>/<seat>``.
    """

    seat: str
    line: msgspec.Raw


_envelopes = msgspec.json.Decoder(IncomingRemoteBotMessage)


class RemoteBotConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels ships no types
    """WebSocket through which a remote bot's program gets questions and sends answers."""

    # ASGI middleware has already checked the program's token.

    channel_layer_alias = "none"
    """Name of a channel layer that does not exist, so that Channels starts no listener for each connection.

    Instead, `remote_bot_relay` listens once for all connections.
    """
    line: RemoteBotConnection | None
    _in_words: bool
    """True if each question is also sent as readable text."""
    _writing: asyncio.Task[None] | None
    _closing: asyncio.Task[None] | None
    _lost: bool
    """True if the arena ended the connection by a failure or a stop, which is not charged to the bot."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the socket until it closes, then mark the bot as absent."""
        self._forget()
        try:
            await super().__call__(scope, receive, send)
        finally:
            if self._writing is not None:
                self._writing.cancel()
            if self.line is not None:
                await get_relay().leave(self.line, lost=self._lost)

    def _forget(self) -> None:
        self.line = self._writing = self._closing = None
        self._second, self._count, self._lost = 0.0, 0, False

    async def connect(self) -> None:
        """Accept the connection of a remote bot's program, and send it the bot's seats in unfinished matches."""
        # An older connection of the same bot is closed.
        asked = dict(parse_qsl(self.scope["query_string"].decode("latin-1")))
        await self.accept()
        try:
            bot_id = await run_in_thread(find_remote, self.scope["user"], asked.get("bot", ""))
        except RemoteBotUnavailable as error:
            await self.close(NO_BOT, shorten_reason(str(error)))
            return
        self._in_words = asked.get("form") == "text"
        line = RemoteBotConnection(bot_id, self.scope["token_id"], self._close_soon)
        try:
            seats = await get_relay().join(line)
        except Error:
            await self.close(FAILED)
            return
        self.line = line
        allowance_ms = settings.SEATS["allowance_ms"]
        open_seats = [f"{match}/{seat}" for match, seat in seats]
        await self._send_message({"open": open_seats, "allowance_ms": allowance_ms})
        self._writing = asyncio.create_task(self._write(line))

    async def _send_message(self, message: dict[str, Any]) -> None:
        await self.send(text_data=msgspec.json.encode(message).decode())

    async def _write(self, line: RemoteBotConnection) -> None:
        """Send the queued messages in order, and store in each question the time when it was sent."""
        while True:
            seat, text, question = await line.outbox.get()
            message = {"seat": seat, "line": msgspec.Raw(text.encode())}
            if question is not None and self._in_words:
                match_id, _, number = seat.partition("/")
                try:
                    message["text"] = await run_in_thread(question_text, match_id, int(number), text)
                except Error:  # a program that connects anew gets the question again
                    self._close_soon(FAILED, "")
                    return
                except Exception:
                    # It recurs when the program connects anew. The absence counts: the grace period bounds that.
                    log.exception("question_text_failed", match=match_id)
                    self._close_soon(FAILED, "", lost=False)
                    return
            if question is not None:
                question.sent = now()
            await self._send_message(message)

    async def disconnect(self, code: int) -> None:
        """Remember whether the connection was closed because the server is shutting down."""
        server_stops = self.scope.get("extensions", {}).get(SERVER_STOPS)
        if code == SERVICE_RESTART and server_stops is not None and server_stops():
            self._lost = True

    def _close_soon(self, code: int, reason: str, *, lost: bool = True) -> None:
        """Close the socket with a code and a reason.

        After the code `FAILED` (server error), the bot's absence counts only after a delay. If `lost` is False, it
        counts immediately.
        """
        # The delay is ``SEATS["lost_seconds"]``.
        if self._closing is None:
            self._lost = lost and code == FAILED
            self._closing = asyncio.create_task(self.close(code, shorten_reason(reason)))

    # Channels passes `bytes_data` by name.
    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:  # noqa: ARG002
        """Process an answer. Close the socket after a malformed message, or too many messages."""
        came = now()
        if self._is_flooded(came):
            await self.close(TOO_MANY)
            return
        try:
            envelope = _envelopes.decode((text_data or "")[:MESSAGE_BYTES])
        except (msgspec.MsgspecError, RecursionError):
            await self.close(BAD_MESSAGE)
            return
        line = self.line
        question = line.open.get(envelope.seat) if line else None
        outcome = outcome_of_answer(question, bytes(envelope.line), came) if question else None
        if line and outcome:
            del line.open[envelope.seat]
            get_relay().take(outcome)

    def _is_flooded(self, came: float) -> bool:
        if came - self._second >= 1:
            self._second, self._count = came, 0
        self._count += 1
        return self._count > MESSAGES_PER_SECOND


def shorten_reason(reason: str) -> str:
    """Return a close reason with at most `MAX_REASON_BYTES` bytes in UTF-8, cut between characters."""
    return reason.encode()[:MAX_REASON_BYTES].decode(errors="ignore")


def outcome_of_answer(question: PendingRemoteQuestion, line: bytes, received_at: float) -> RemoteQuestionOutcome | None:
    """Check the line that a bot sent as its answer. Return the valid answer or the bot's fault.

    Return None if the line answers an earlier question.
    """
    took_ms = min(question.took_ms(received_at), (1 << 31) - 1)
    outcome = RemoteQuestionOutcome(seat_id=question.seat_id, number=question.number, choice=None, took_ms=took_ms)
    try:
        reply = read_reply(line)
    except InvalidBotAnswerError as error:
        return replace(outcome, fault=f"malformed: {error}")
    if reply.id < question.number:
        return None
    if reply.id > question.number:
        return replace(outcome, fault=f"malformed: question {reply.id} was not yet asked")
    if not 0 <= reply.choose < question.items:
        fault = f"refused: choose is {reply.choose}, the menu has items 0 to {question.items - 1}"
        return replace(outcome, fault=fault)
    return replace(outcome, choice=reply.choose, note=reply.note)
