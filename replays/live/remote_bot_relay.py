"""Relay of questions and answers between the database and connected remote bots."""
# All connections of one event loop share one relay, so that few queries serve them all.

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import structlog
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import Error, close_old_connections

from bots.access.api_tokens import find_token_owners
from bots.remote_bots import find_play_refusals
from replays.seats import remote_bot_presence
from replays.seats.remote_bot_presence import OutgoingRemoteBotMessage, RemoteQuestionOutcome
from replays.seats.seat_question_mailbox import QUESTIONS_GROUP

log = structlog.get_logger(__name__)
T = TypeVar("T")
POLL_SECONDS = 1.0
"""Seconds until stored questions are looked for again without a notification, as notifications can be lost."""
RETRY_SECONDS = 0.5
"""Pause in seconds after an error."""
TOKEN_ENDED, NO_BOT, SLOW, TAKEN_OVER, FAILED = 4401, 4404, 4408, 4409, 4500
"""WebSocket close codes: token no longer valid, bot not open to the token's owner, program does not read, newer
connection of the bot, server error."""
MAX_WAITING_MESSAGES = 1024
"""Maximum number of messages queued for a program; a longer queue means that the program does not read."""


async def run_in_thread(work: Callable[..., T], *words: Any) -> T:
    """Call a function in a thread, in which it may query the database, and return its result."""

    def done() -> T:
        try:
            return work(*words)
        finally:
            close_old_connections()

    return await asyncio.to_thread(done)


@dataclass(slots=True, kw_only=True)
class PendingRemoteQuestion:
    """An unanswered question to a remote bot; it has been sent, or is queued for sending."""

    seat_id: int
    number: int
    items: int
    """Number of actions on the question's menu."""
    spent_ms: int
    """Milliseconds for which the bot had the question over earlier connections."""
    sent: float | None = None
    """Monotonic time of sending in seconds; None while earlier messages are still being sent."""

    def took_ms(self, now: float) -> int:
        """Return how many milliseconds the bot has had the question, summed over all its connections."""
        return self.spent_ms + (int((now - self.sent) * 1000) if self.sent is not None else 0)


class RemoteBotConnection:
    """Connection of a remote bot's program, with its open questions and its queue of outgoing messages."""

    def __init__(self, bot_id: int, token_id: int, close: Callable[[int, str], None]) -> None:
        """Store the bot, its token, and the function that closes the socket with a code and a reason."""
        self.bot_id, self.token_id, self.close = bot_id, token_id, close
        self.connection = ""
        self.open: dict[str, PendingRemoteQuestion] = {}
        """Open questions: a dict from seat, named ``<match id>/<seat>``, to the question that waits for its answer."""
        self.outbox: asyncio.Queue[tuple[str, str, PendingRemoteQuestion | None]] = asyncio.Queue(MAX_WAITING_MESSAGES)
        self._greeted: set[str] = set()

    def deliver(self, delivery: OutgoingRemoteBotMessage) -> None:
        """Queue a question, or the end of a match, for sending. Close the connection if the queue is full."""
        # The first message for a seat is a greeting with the game, seat and time limits.
        seat = f"{delivery.match_id}/{delivery.seat}"
        try:
            if seat not in self._greeted:
                self._greeted.add(seat)
                self.outbox.put_nowait((seat, delivery.hello, None))
            if delivery.over:
                self.open.pop(seat, None)
                self.outbox.put_nowait((seat, delivery.over, None))
                return
            question = PendingRemoteQuestion(
                seat_id=delivery.seat_id,
                number=delivery.number,
                items=delivery.items,
                spent_ms=delivery.spent_ms,
            )
            self.open[seat] = question
            self.outbox.put_nowait((seat, delivery.line, question))
        except asyncio.QueueFull:
            self.close(SLOW, "")


class RemoteBotRelay:
    """Relay for all remote bots connected in one event loop; its tasks read questions and store answers."""

    def __init__(self) -> None:
        self._lines: dict[int, RemoteBotConnection] = {}
        self._poked = asyncio.Event()
        self._outcomes: list[RemoteQuestionOutcome] = []
        self._came = asyncio.Event()
        self._carrying = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    async def join(self, line: RemoteBotConnection) -> list[tuple[str, int]]:
        """Add a bot's connection, and close its older one.

        Return the bot's seats in unfinished matches as pairs (match id, seat).
        """
        line.connection, seats = await run_in_thread(remote_bot_presence.connect, line.bot_id)
        older = self._lines.pop(line.bot_id, None)
        self._lines[line.bot_id] = line
        if older is not None:
            older.close(TAKEN_OVER, "")
        if not self._tasks:
            self._tasks = [
                asyncio.create_task(self._run_forever(w))
                for w in (self._listen, self._deliver_questions, self._store_outcomes, self._keep_alive)
            ]
        self._poked.set()
        return seats

    async def leave(self, line: RemoteBotConnection, *, lost: bool = False) -> None:
        """Remove a connection. Stop the relay's tasks if no connection is left and all answers are stored.

        If the server caused the disconnection (`lost`), the bot's absence counts only after a delay.
        """
        if self._lines.get(line.bot_id) is line:
            del self._lines[line.bot_id]
        if line.connection:
            with suppress(Error):  # the presence then expires by itself
                await run_in_thread(partial(remote_bot_presence.disconnect, lost=lost), line.bot_id, line.connection)
        if not self._lines and not self._outcomes:
            for task in self._tasks:
                task.cancel()
            self._tasks = []

    def take(self, outcome: RemoteQuestionOutcome) -> None:
        """Queue a bot's answer or fault, to be stored in the database."""
        self._outcomes.append(outcome)
        self._came.set()

    async def _run_forever(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Repeat a task of the relay for ever, with a pause after an error."""
        # Errors other than database errors also close all connections.
        while True:
            try:
                await work()
            except Error as error:
                log.warning("remote_bot_relay_waits", reason=str(error).strip())
                await asyncio.sleep(RETRY_SECONDS)
            except Exception:
                log.exception("remote_bot_relay_failed")
                for line in list(self._lines.values()):
                    line.close(FAILED, "")
                await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self) -> None:
        layer = get_channel_layer()
        if layer is None:
            await asyncio.sleep(POLL_SECONDS)
            return
        channel = await layer.new_channel()
        await layer.group_add(QUESTIONS_GROUP, channel)
        try:
            while True:
                if (await layer.receive(channel)).get("bot") in {None, *self._lines}:
                    self._poked.set()
        finally:
            await layer.group_discard(QUESTIONS_GROUP, channel)

    async def _deliver_questions(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._poked.wait(), POLL_SECONDS)
        self._poked.clear()
        async with self._carrying:
            lines = {line.connection: line for line in self._lines.values()}
            for delivery in await run_in_thread(remote_bot_presence.fetch_deliveries, list(lines)) if lines else ():
                lines[delivery.connection].deliver(delivery)

    async def _store_outcomes(self) -> None:
        await self._came.wait()
        self._came.clear()
        taken = list(self._outcomes)
        try:
            await run_in_thread(remote_bot_presence.store_question_outcomes, taken)
        except remote_bot_presence.DATABASE_OUTAGES:
            self._came.set()  # try again when the database is back
            raise
        del self._outcomes[: len(taken)]

    async def _keep_alive(self) -> None:
        """Record that the connected bots are present, and close connections that are no longer valid."""
        await asyncio.sleep(settings.SEATS["alive_seconds"] / 4)
        lines = {line.connection: line for line in self._lines.values()}
        if not lines:
            return
        ours = await run_in_thread(remote_bot_presence.keep_alive, list(lines))
        owners = await run_in_thread(find_token_owners, {line.token_id for line in lines.values()})
        players = {line.bot_id: owners[line.token_id] for line in lines.values() if line.token_id in owners}
        refusals = await run_in_thread(find_play_refusals, players)
        for connection, line in lines.items():
            if connection not in ours:
                line.close(TAKEN_OVER, "")
            elif line.token_id not in owners:
                line.close(TOKEN_ENDED, "")
            elif line.bot_id in refusals:
                line.close(NO_BOT, refusals[line.bot_id])


_relays: WeakKeyDictionary[asyncio.AbstractEventLoop, RemoteBotRelay] = WeakKeyDictionary()


def get_relay() -> RemoteBotRelay:
    """Return the relay of the running event loop, and create it at the first call."""
    return _relays.setdefault(asyncio.get_running_loop(), RemoteBotRelay())


def now() -> float:
    """Return the monotonic time in seconds."""
    # The answer times of remote bots are measured with it.
    return time.monotonic()
