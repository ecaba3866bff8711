"""Relay between mailboxes and the connections of one event loop, with few database queries for all of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import structlog
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import Error, close_old_connections

from bots.tokens import alive_tokens
from replays.seats import attendance
from replays.seats.attendance import Delivery, Verdict
from replays.seats.mailbox import MAILBOXES

log = structlog.get_logger(__name__)
T = TypeVar("T")
LOOK_SECONDS = 1.0
"""Polling interval of mailboxes without notifications: one may be lost."""
AGAIN_SECONDS = 0.5
"""Pause after an error of the database."""
TOKEN_ENDED, SLOW, TAKEN_OVER, FAILED = 4401, 4408, 4409, 4500
MOST_WAITING = 1024
"""Maximum number of messages queued for a program; one that exceeds it does not read."""


async def in_thread(work: Callable[..., T], *words: Any) -> T:
    """Run a database function in a thread that keeps no connection."""

    def done() -> T:
        try:
            return work(*words)
        finally:
            close_old_connections()

    return await asyncio.to_thread(done)


@dataclass(slots=True, kw_only=True)
class OpenLetter:
    """A question that was sent, or is about to be sent, to a connection."""

    seat_id: int
    number: int
    items: int
    spent_ms: int
    sent: float | None = None
    """Time of sending, by this process's clock; None while earlier messages are still being sent."""

    def took_ms(self, now: float) -> int:
        """Return the milliseconds for which the bot has had the question, over all connections."""
        return self.spent_ms + (int((now - self.sent) * 1000) if self.sent is not None else 0)


class SeatLine:
    """A program's connection: its open questions, and its queue of outgoing messages."""

    def __init__(self, bot_id: int, token_id: int, close: Callable[[int], None]) -> None:
        """Take `close`, which closes the socket with a code, soon."""
        self.bot_id, self.token_id, self.close = bot_id, token_id, close
        self.connection = ""
        self.open: dict[str, OpenLetter] = {}
        """The latest question by seat."""
        self.outbox: asyncio.Queue[tuple[str, str, OpenLetter | None]] = asyncio.Queue(MOST_WAITING)
        self._greeted: set[str] = set()

    def deliver(self, delivery: Delivery) -> None:
        """Queue a question or the last line, after the greeting if necessary; a full queue closes the connection."""
        seat = f"{delivery.match_id}/{delivery.seat}"
        try:
            if seat not in self._greeted:
                self._greeted.add(seat)
                self.outbox.put_nowait((seat, delivery.hello, None))
            if delivery.over:
                self.open.pop(seat, None)
                self.outbox.put_nowait((seat, delivery.over, None))
                return
            letter = OpenLetter(
                seat_id=delivery.seat_id,
                number=delivery.number,
                items=delivery.items,
                spent_ms=delivery.spent_ms,
            )
            self.open[seat] = letter
            self.outbox.put_nowait((seat, delivery.line, letter))
        except asyncio.QueueFull:
            self.close(SLOW)


class Porter:
    """Relay for all connections of one event loop."""

    def __init__(self) -> None:
        self._lines: dict[int, SeatLine] = {}
        self._poked = asyncio.Event()
        self._verdicts: list[Verdict] = []
        self._came = asyncio.Event()
        self._carrying = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    async def join(self, line: SeatLine) -> list[tuple[str, int]]:
        """Add a connection; return its seats (match, seat). An older connection of the bot is closed."""
        line.connection, seats = await in_thread(attendance.sit_down, line.bot_id)
        older = self._lines.pop(line.bot_id, None)
        self._lines[line.bot_id] = line
        if older is not None:
            older.close(TAKEN_OVER)
        if not self._tasks:
            self._tasks = [
                asyncio.create_task(self._always(w)) for w in (self._listen, self._carry, self._put, self._stay)
            ]
        self._poked.set()
        return seats

    async def leave(self, line: SeatLine) -> None:
        """Remove a connection; the last one stops the relay after its pending writes."""
        if self._lines.get(line.bot_id) is line:
            del self._lines[line.bot_id]
        if line.connection:
            with suppress(Error):  # otherwise the presence expires with the process's heartbeat
                await in_thread(attendance.leave, line.bot_id, line.connection)
        if not self._lines and not self._verdicts:
            for task in self._tasks:
                task.cancel()
            self._tasks = []

    def take(self, verdict: Verdict) -> None:
        """Queue the outcome of a question for its mailbox."""
        self._verdicts.append(verdict)
        self._came.set()

    async def _always(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Repeat a piece of work; a brief outage of the database does not stop it."""
        while True:
            try:
                await work()
            except Error as error:
                log.warning("porter_waits", reason=str(error).strip())
                await asyncio.sleep(AGAIN_SECONDS)
            except Exception:
                log.exception("porter_failed")
                for line in list(self._lines.values()):
                    line.close(FAILED)
                await asyncio.sleep(AGAIN_SECONDS)

    async def _listen(self) -> None:
        layer = get_channel_layer()
        if layer is None:
            await asyncio.sleep(LOOK_SECONDS)
            return
        channel = await layer.new_channel()
        await layer.group_add(MAILBOXES, channel)
        try:
            while True:
                if (await layer.receive(channel)).get("bot") in {None, *self._lines}:
                    self._poked.set()
        finally:
            await layer.group_discard(MAILBOXES, channel)

    async def _carry(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._poked.wait(), LOOK_SECONDS)
        self._poked.clear()
        async with self._carrying:
            lines = {line.connection: line for line in self._lines.values()}
            for delivery in await in_thread(attendance.fetch, list(lines)) if lines else ():
                lines[delivery.connection].deliver(delivery)

    async def _put(self) -> None:
        await self._came.wait()
        self._came.clear()
        taken = list(self._verdicts)
        try:
            await in_thread(attendance.store, taken)
        except Error:
            self._came.set()  # kept until the database is back
            raise
        del self._verdicts[: len(taken)]

    async def _stay(self) -> None:
        """Extend the presence of our connections; close those taken over and those whose token has ended."""
        await asyncio.sleep(settings.SEATS["alive_seconds"] / 4)
        lines = {line.connection: line for line in self._lines.values()}
        if not lines:
            return
        ours = await in_thread(attendance.keep_alive, list(lines))
        good = await in_thread(alive_tokens, {line.token_id for line in lines.values()})
        for connection, line in lines.items():
            if connection not in ours:
                line.close(TAKEN_OVER)
            elif line.token_id not in good:
                line.close(TOKEN_ENDED)


_porters: WeakKeyDictionary[asyncio.AbstractEventLoop, Porter] = WeakKeyDictionary()


def porter() -> Porter:
    """Return the relay of the running event loop."""
    return _porters.setdefault(asyncio.get_running_loop(), Porter())


def now() -> float:
    """Return the time for measuring a program's clock, in seconds."""
    return time.monotonic()
