"""A Channels layer over PostgreSQL's LISTEN and NOTIFY, for pokes: small messages that say "look again".

A poke may be lost, doubled or late, and none may carry what is not in the database. After a broken
connection everybody who listens is poked once, as what was said meanwhile is not known. How often to
poke is the sender's business.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
import structlog
from channels.layers import BaseChannelLayer

from deploy.voice import CHANNEL, Voice

log = structlog.get_logger(__name__)
Message = dict[str, Any]
CAPACITY = 100
"""As many pokes wait for one consumer; more would tell it nothing new and are dropped."""
LISTEN_SECONDS = 5.0
"""How long joining a group waits for the connection; without one the poke after reconnecting must do."""
RECONNECT_SECONDS = 0.5


class Ear:
    """What one event loop hears: its channels, their groups, and the one connection that listens for all."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._queues: dict[str, asyncio.Queue[Message]] = {}
        self._groups: dict[str, set[str]] = {}
        self._ready = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def join(self, group: str, channel: str) -> None:
        """Add a channel to a group; what is sent from now on is heard."""
        self._groups.setdefault(group, set()).add(channel)
        await self._attend()

    def leave(self, group: str, channel: str) -> None:
        """Take a channel out of a group."""
        members = self._groups.get(group, set())
        members.discard(channel)
        if not members:
            self._groups.pop(group, None)
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

    async def _attend(self) -> None:
        """Listen, if we do not yet."""
        if self._task is None or self._task.done():
            self._ready.clear()
            self._task = asyncio.get_running_loop().create_task(self._listen())
        try:
            await asyncio.wait_for(self._ready.wait(), LISTEN_SECONDS)
        except TimeoutError:
            log.warning("pokes_not_heard", reason="no connection to the database")

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
                async with await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    self._ready.set()
                    if again:
                        self._tell_everybody()
                    async for notify in connection.notifies():
                        self._deliver(json.loads(notify.payload))
            except psycopg.OperationalError as error:
                log.warning("pokes_interrupted", reason=str(error).strip())
            again = True
            self._ready.clear()
            await asyncio.sleep(RECONNECT_SECONDS)

    def _deliver(self, note: dict[str, Any]) -> None:
        to = note["to"]
        for channel in self._groups.get(to, ()) if note["group"] else {to} & self._queues.keys():
            self._put(channel, note["message"])

    def _tell_everybody(self) -> None:
        for channel in {channel for members in self._groups.values() for channel in members}:
            self._put(channel, {"type": "poke"})

    def _put(self, channel: str, message: Message) -> None:
        queue = self._queue(channel)
        if not queue.full():
            queue.put_nowait(dict(message))


class PokeLayer(BaseChannelLayer):  # type: ignore[misc]  # channels ships no types
    """The channel layer; each process, and in tests each event loop, listens on one connection."""

    extensions = ("groups",)

    def __init__(self, conninfo: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._conninfo = conninfo
        self._voice = Voice(conninfo)
        self._ears: WeakKeyDictionary[asyncio.AbstractEventLoop, Ear] = WeakKeyDictionary()

    async def new_channel(self, prefix: str = "specific") -> str:
        """Return a name that no other channel has."""
        return f"{prefix}.poke!{secrets.token_hex(12)}"

    async def group_add(self, group: str, channel: str) -> None:
        """Add a channel of this process to a group."""
        self.require_valid_group_name(group)
        self.require_valid_channel_name(channel)
        await self._ear().join(group, channel)

    async def group_discard(self, group: str, channel: str) -> None:
        """Take a channel out of a group."""
        self.require_valid_group_name(group)
        self._ear().leave(group, channel)

    async def receive(self, channel: str) -> Message:
        """Return the next message for a channel of this process."""
        self.require_valid_channel_name(channel)
        return await self._ear().next(channel)

    async def group_send(self, group: str, message: Message) -> None:
        """Poke a group, in whatever processes its channels live."""
        self.require_valid_group_name(group)
        await self._say({"group": True, "to": group, "message": message})

    async def send(self, channel: str, message: Message) -> None:
        """Poke one channel, in whatever process it lives."""
        self.require_valid_channel_name(channel)
        await self._say({"group": False, "to": channel, "message": message})

    async def _say(self, note: dict[str, Any]) -> None:
        await asyncio.to_thread(self._voice.say, json.dumps(note))

    def _ear(self) -> Ear:
        loop = asyncio.get_running_loop()
        return self._ears.setdefault(loop, Ear(self._conninfo))
