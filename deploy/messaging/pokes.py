"""A Channels layer over PostgreSQL's LISTEN and NOTIFY, for small messages that say "look again".

A notification may be lost, duplicated or late, and must not carry anything that is not in the database. After a broken
connection every listener is notified once, because messages may have been missed. The sender limits the rate.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from channels.layers import BaseChannelLayer

from deploy.messaging.listener import Listener, Message
from deploy.messaging.publisher import CHANNEL, Publisher


class DatabaseListener(Listener):
    """Listener that receives all notifications and delivers those for its own channels."""

    BROKEN = (psycopg.OperationalError,)

    def __init__(self, conninfo: str) -> None:
        super().__init__()
        self._conninfo = conninfo

    async def _hear(self, *, again: bool) -> None:
        connection = await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)
        try:
            await connection.execute(f"LISTEN {CHANNEL}")
            self._ready.set()
            for group in [*(self._groups if again else self._late)]:
                self._tell_group(group)
            async for notify in connection.notifies():
                self._deliver(notify.payload)
        finally:  # no context manager: it would roll back first, which a second cancellation interrupts
            await connection.close()


class PokeLayer(BaseChannelLayer):  # type: ignore[misc]  # channels ships no types
    """The channel layer; each process, and in tests each event loop, listens on one connection."""

    extensions = ("groups",)

    def __init__(self, address: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._address = address
        self._publisher = self._make_publisher()
        self._ears: WeakKeyDictionary[asyncio.AbstractEventLoop, Listener] = WeakKeyDictionary()

    def _make_publisher(self) -> Any:
        return Publisher(self._address)

    def _make_listener(self) -> Listener:
        return DatabaseListener(self._address)

    async def new_channel(self, prefix: str = "specific") -> str:
        """Return a unique channel name."""
        return f"{prefix}.poke!{secrets.token_hex(12)}"

    async def group_add(self, group: str, channel: str) -> None:
        """Add a channel of this process to a group."""
        self.require_valid_group_name(group)
        self.require_valid_channel_name(channel)
        await self._listener().join(group, channel)

    async def group_discard(self, group: str, channel: str) -> None:
        """Remove a channel from a group."""
        self.require_valid_group_name(group)
        await self._listener().leave(group, channel)

    async def receive(self, channel: str) -> Message:
        """Return the next message for a channel of this process."""
        self.require_valid_channel_name(channel)
        return await self._listener().next(channel)

    async def group_send(self, group: str, message: Message) -> None:
        """Notify a group across all processes."""
        self.require_valid_group_name(group)
        await self._say({"group": True, "to": group, "message": message})

    async def send(self, channel: str, message: Message) -> None:
        """Notify one channel in any process."""
        self.require_valid_channel_name(channel)
        await self._say({"group": False, "to": channel, "message": message})

    def poke(self, group: str, message: Message) -> None:
        """Notify a group from synchronous code."""
        self.require_valid_group_name(group)
        self._say_now({"group": True, "to": group, "message": message})

    async def _say(self, note: dict[str, Any]) -> None:
        await asyncio.to_thread(self._say_now, note)

    def _say_now(self, note: dict[str, Any]) -> None:
        self._publisher.say(json.dumps(note))

    def _listener(self) -> Listener:
        loop = asyncio.get_running_loop()
        if loop not in self._ears:
            self._ears[loop] = self._make_listener()
        return self._ears[loop]
