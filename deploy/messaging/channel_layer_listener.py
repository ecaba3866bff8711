"""Base class for receivers of a Channels layer's notifications, from PostgreSQL or from Redis."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import structlog

log = structlog.get_logger(__name__)
Message = dict[str, Any]
MAX_QUEUED_MESSAGES = 100
"""Maximum number of notifications queued for one consumer. Further ones are dropped: they announce nothing new."""
LISTEN_SECONDS = 5.0
"""Maximum seconds for which joining a group waits for the connection.

After that, joining returns without a connection. When the connection is made, all channels of the group are notified,
because notifications may have been missed.
"""
RECONNECT_SECONDS = 0.5


class ChannelLayerListener(ABC):
    """Receiver of notifications for all channels and groups of one event loop, over one connection."""

    BROKEN: ClassVar[tuple[type[Exception], ...]]
    """Exceptions that mean a broken connection."""

    def __init__(self) -> None:
        self._queues: dict[str, asyncio.Queue[Message]] = {}
        self._receiving: set[str] = set()
        """Channels for which `next` waits now."""
        self._groups: dict[str, set[str]] = {}
        self._unconfirmed_groups: set[str] = set()
        """Groups joined before the server confirmed the subscription; they are notified once, when it is confirmed."""
        self._ready = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    async def _receive_until_broken(self, *, again: bool) -> None:
        """Connect to the server and deliver notifications until the connection breaks."""
        # `again` is True after a broken connection: notifications may have been lost, so notify every group.

    async def join(self, group: str, channel: str) -> None:
        """Add a channel to a group, and wait up to LISTEN_SECONDS for the connection to the server."""
        # Without a connection, all channels of the group are notified later, because they may have missed
        # notifications.
        self._groups.setdefault(group, set()).add(channel)
        if not await self._ensure_listening():
            self._unconfirmed_groups.add(group)

    async def leave(self, group: str, channel: str) -> None:
        """Remove a channel from a group. If the channel has no other group and no reader, drop its unread messages."""
        members = self._groups.get(group, set())
        members.discard(channel)
        if not members:
            self._groups.pop(group, None)
            self._unconfirmed_groups.discard(group)
        if channel not in self._receiving and not any(channel in others for others in self._groups.values()):
            self._queues.pop(channel, None)
        self._stop_if_unused()

    async def next(self, channel: str) -> Message:
        """Wait for the next message to a channel and return it."""
        queue = self._queue(channel)
        self._receiving.add(channel)
        try:
            await self._ensure_listening()
            return await queue.get()
        except asyncio.CancelledError:
            if queue.empty():
                self._queues.pop(channel, None)
            self._stop_if_unused()
            raise
        finally:
            self._receiving.discard(channel)

    def _queue(self, channel: str) -> asyncio.Queue[Message]:
        return self._queues.setdefault(channel, asyncio.Queue(MAX_QUEUED_MESSAGES))

    async def _ensure_listening(self) -> bool:
        """Start the listening task if necessary; return False if it is not connected within LISTEN_SECONDS."""
        if self._task is None or self._task.done():
            self._ready.clear()
            self._task = asyncio.get_running_loop().create_task(self._listen())
        return await wait_until_ready(self._ready)

    def _stop_if_unused(self) -> None:
        """Stop listening if no channel and no group is left."""
        if self._task and not self._queues and not self._groups:
            self._task.cancel()
            self._task = None

    async def _listen(self) -> None:
        """Listen until cancelled, and reconnect after failures."""
        again = False
        while True:
            try:
                await self._receive_until_broken(again=again)
            except self.BROKEN as error:
                log.warning("notifications_interrupted", reason=str(error).strip())
            again = True
            self._ready.clear()
            await asyncio.sleep(RECONNECT_SECONDS)

    def _deliver(self, payload: str) -> None:
        note = json.loads(payload)
        to = note["to"]
        for channel in self._groups.get(to, ()) if note["group"] else {to} & self._queues.keys():
            self._put(channel, note["message"])

    def _notify_group(self, group: str) -> None:
        """Send an empty message to a group's channels in this event loop, so that their readers load the data again."""
        # They may have missed earlier notifications.
        self._unconfirmed_groups.discard(group)
        for channel in self._groups.get(group, ()):
            self._put(channel, {"type": "poke"})

    def _put(self, channel: str, message: Message) -> None:
        queue = self._queue(channel)
        if not queue.full():
            queue.put_nowait(dict(message))


async def wait_until_ready(event: asyncio.Event) -> bool:
    """Wait for `event`, which is set when a subscription is confirmed; return False after LISTEN_SECONDS."""
    try:
        await asyncio.wait_for(event.wait(), LISTEN_SECONDS)
    except TimeoutError:
        log.warning("subscription_not_confirmed", reason="no connection")
        return False
    return True
