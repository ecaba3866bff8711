"""The listening side of the pokes: what one event loop hears, over whatever line carries it."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import structlog

log = structlog.get_logger(__name__)
Message = dict[str, Any]
CAPACITY = 100
"""How many pokes wait for one consumer; more would tell it nothing new and are dropped."""
LISTEN_SECONDS = 5.0
"""How long joining a group waits for the connection; without one the poke after connecting must do."""
RECONNECT_SECONDS = 0.5


class Listener(ABC):
    """One event loop's channels, their groups, and the one connection that listens for all."""

    BROKEN: ClassVar[tuple[type[Exception], ...]]
    """What is raised when the connection breaks."""

    def __init__(self) -> None:
        self._queues: dict[str, asyncio.Queue[Message]] = {}
        self._groups: dict[str, set[str]] = {}
        self._late: set[str] = set()
        """The groups of which some went on without being heard, since the line took too long: these are told then."""
        self._ready = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    async def _hear(self, *, again: bool) -> None:
        """Connect, say that we are ready, and deliver what is heard until the connection breaks."""

    async def join(self, group: str, channel: str) -> None:
        """Add a channel to a group; what is sent from now on is heard, or the group is told once it would have been."""
        self._groups.setdefault(group, set()).add(channel)
        if not await self._attend():
            self._late.add(group)

    async def leave(self, group: str, channel: str) -> None:
        """Take a channel out of a group."""
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
        """Listen, if we do not yet; False where that took too long, and goes on."""
        if self._task is None or self._task.done():
            self._ready.clear()
            self._task = asyncio.get_running_loop().create_task(self._listen())
        return await in_time(self._ready)

    def _rest(self) -> None:
        """Stop listening when nobody is left to hear."""
        if self._task and not self._queues and not self._groups:
            self._task.cancel()
            self._task = None

    async def _listen(self) -> None:
        """Listen for ever, also after the connection breaks."""
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
        """Poke a group ourselves: what was said while nobody listened is not known."""
        self._late.discard(group)
        for channel in self._groups.get(group, ()):
            self._put(channel, {"type": "poke"})

    def _put(self, channel: str, message: Message) -> None:
        queue = self._queue(channel)
        if not queue.full():
            queue.put_nowait(dict(message))


async def in_time(event: asyncio.Event) -> bool:
    """Wait for what says that we are heard, but not for ever: False is that whoever waits is to be told later."""
    try:
        await asyncio.wait_for(event.wait(), LISTEN_SECONDS)
    except TimeoutError:
        log.warning("pokes_not_heard", reason="no connection")
        return False
    return True
