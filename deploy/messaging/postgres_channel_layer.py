"""Channels layer over PostgreSQL's LISTEN and NOTIFY.

A notification may be lost, duplicated or late, so receivers must read the data from the database.
"""
# After a broken connection every group is notified once. Senders must limit their rate.

from __future__ import annotations

import asyncio
import json
import secrets
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from channels.layers import BaseChannelLayer

from deploy.messaging.channel_layer_listener import ChannelLayerListener, Message
from deploy.messaging.postgres_publisher import CHANNEL, PostgresPublisher


class PostgresListener(ChannelLayerListener):
    """Listener on the PostgreSQL notification channel that all processes share."""

    BROKEN = (psycopg.OperationalError,)

    def __init__(self, conninfo: str) -> None:
        super().__init__()
        self._conninfo = conninfo

    async def _receive_until_broken(self, *, again: bool) -> None:
        connection = await psycopg.AsyncConnection.connect(self._conninfo, autocommit=True)
        try:
            await connection.execute(f"LISTEN {CHANNEL}")
            self._ready.set()
            for group in [*(self._groups if again else self._unconfirmed_groups)]:
                self._notify_group(group)
            async for notify in connection.notifies():
                self._deliver(notify.payload)
        finally:  # no context manager: its rollback may be interrupted by a second cancellation
            await connection.close()


class PostgresChannelLayer(BaseChannelLayer):  # type: ignore[misc]  # channels ships no types
    """Channels layer over PostgreSQL; each event loop listens on one connection."""

    extensions = ("groups",)

    def __init__(self, address: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._address = address
        self._publisher = self._make_publisher()
        self._ears: WeakKeyDictionary[asyncio.AbstractEventLoop, ChannelLayerListener] = WeakKeyDictionary()

    def _make_publisher(self) -> Any:
        return PostgresPublisher(self._address)

    def _make_listener(self) -> ChannelLayerListener:
        return PostgresListener(self._address)

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
        """Wait for the next message to a channel of this process and return it."""
        self.require_valid_channel_name(channel)
        return await self._listener().next(channel)

    async def group_send(self, group: str, message: Message) -> None:
        """Send a message to all channels of a group, in all processes."""
        self.require_valid_group_name(group)
        await self._publish({"group": True, "to": group, "message": message})

    async def send(self, channel: str, message: Message) -> None:
        """Send a message to one channel of any process."""
        self.require_valid_channel_name(channel)
        await self._publish({"group": False, "to": channel, "message": message})

    def notify_group(self, group: str, message: Message) -> None:
        """Send a message to all channels of a group, from synchronous code."""
        self.require_valid_group_name(group)
        self._publish_now({"group": True, "to": group, "message": message})

    async def _publish(self, note: dict[str, Any]) -> None:
        await asyncio.to_thread(self._publish_now, note)

    def _publish_now(self, note: dict[str, Any]) -> None:
        self._publisher.publish(json.dumps(note))

    def _listener(self) -> ChannelLayerListener:
        loop = asyncio.get_running_loop()
        if loop not in self._ears:
            self._ears[loop] = self._make_listener()
        return self._ears[loop]
