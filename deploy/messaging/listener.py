"""Base class of notification listeners: one per event loop, for any transport."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import structlog

log = structlog.get_logger(__name__)
Message = dict[str, Any]
CAPACITY = 100
"""Maximum number of notifications queued for one consumer; more would carry no information and are dropped."""
LISTEN_SECONDS = 5.0
"""Timeout of the connection when joining a group; after it, the notification on connecting must do."""
RECONNECT_SECONDS = 0.5


class Listener(ABC):
    """Channels and groups of one event loop, with one connection that listens for all."""

    BROKEN: ClassVar[tuple[type[Exception], ...]]
    """Exceptions of a broken connection."""

    def __init__(self) -> None:
        self._queues: dict[str, asyncio.Queue[Message]] = {}
        self._groups: dict[str, set[str]] = {}
        self._late: set[str] = set()
        """Groups joined before the subscription was confirmed; they are notified once it is."""
        self._ready = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    async def _hear(self, *, again: bool) -> None:
        """Connect, signal readiness, and deliver notifications until the connection breaks."""

    async def join(self, group: str, channel: str) -> None:
        """Add a channel to a group; it receives messages from now on, or a notification after a late connection."""
        self._groups.setdefault(group, set()).add(channel)
        if not await self._attend():
            self._late.add(group)

    async def leave(self, group: str, channel: str) -> None:
        """Remove a channel from a group."""
        members = self._groups.get(group, set())
        members.discard(channel)
        if not members:
            self._groups.pop(group, None)
            self._late.discard(group)
        self._rest()

    async def next(self, channel: str) -> Message:
        """Return the next message for a channel."""
        queue = self._queue(channel)
        try:
            await self._attend()
            return await queue.get()
        except asyncio.CancelledError:
            if queue.empty():
                self._queues.pop(channel, None)
            self._rest()
            raise

    def _queue(self, channel: str) -> asyncio.Queue[Message]:
        return self._queues.setdefault(channel, asyncio.Queue(CAPACITY))

    async def _attend(self) -> bool:
        """Start listening if necessary; return False on a timeout, while connecting goes on."""
        if self._task is None or self._task.done():
            self._ready.clear()
            self._task = asyncio.get_running_loop().create_task(self._listen())
        return await in_time(self._ready)

    def _rest(self) -> None:
        """Stop listening when no channel is left."""
        if self._task and not self._queues and not self._groups:
            self._task.cancel()
            self._task = None

    async def _listen(self) -> None:
        """Listen forever, reconnecting after failures."""
        again = False
        while True:
            try:
                await self._hear(again=again)
            except self.BROKEN as error:
                log.warning("pokes_interrupted", reason=str(error).strip())
            again = True
            self._ready.clear()
            await asyncio.sleep(RECONNECT_SECONDS)

    def _deliver(self, payload: str) -> None:
        note = json.loads(payload)
        to = note["to"]
        for channel in self._groups.get(to, ()) if note["group"] else {to} & self._queues.keys():
            self._put(channel, note["message"])

    def _tell_group(self, group: str) -> None:
        """Deliver a notification to the channels of a group here, because one from the database may have been lost."""
        self._late.discard(group)
        for channel in self._groups.get(group, ()):
            self._put(channel, {"type": "poke"})

    def _put(self, channel: str, message: Message) -> None:
        queue = self._queue(channel)
        if not queue.full():
            queue.put_nowait(dict(message))


async def in_time(event: asyncio.Event) -> bool:
    """Wait until the subscription is confirmed; on a timeout return False: the group is notified later."""
    try:
        await asyncio.wait_for(event.wait(), LISTEN_SECONDS)
    except TimeoutError:
        log.warning("pokes_not_heard", reason="no connection")
        return False
    return True
