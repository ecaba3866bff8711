"""Channels layer over Redis publish/subscribe, for sites with very many live matches."""
# Unlike `channels_redis` (ADR 0021), a broken connection causes no errors, and every group is notified once when Redis
# is back. Each group has its own topic, with only its members' processes subscribed.

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.client import PubSub
from redis.asyncio.connection import Connection
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from deploy.messaging.channel_layer_listener import ChannelLayerListener, wait_until_ready
from deploy.messaging.postgres_channel_layer import PostgresChannelLayer
from deploy.messaging.postgres_publisher import CHANNEL, check_length

log = structlog.get_logger(__name__)
KEEPALIVE: dict[str, Any] = {
    "socket_keepalive": True,
    "socket_keepalive_options": {socket.TCP_KEEPIDLE: 10, socket.TCP_KEEPINTVL: 5, socket.TCP_KEEPCNT: 3},
}
"""TCP keepalive options that detect a lost machine within half a minute."""
NO_RETRY = AsyncRetry(NoBackoff(), 0, supported_errors=())
"""No new connection after an error; with zero retries alone, every task that sees an error would connect anew."""
ANSWER_SECONDS = 1.0
"""Timeout for sending a notification, because a match must not wait for it."""
SILENT_SECONDS = 5.0
"""Seconds without sending after a failure; subscribers poll every ten seconds anyway."""


def topic_name(group: str) -> str:
    """Return the Redis topic on which a group's messages are published."""
    # The messages to single channels share the topic `CHANNEL`.
    return f"{CHANNEL}.{group}"


class RedisPublisher:
    """Sender of notifications over Redis, usable from any thread, event loop and forked process."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(
            url,
            retry=Retry(NoBackoff(), 1),  # retry once, as the connection may have broken since the last notification
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            **KEEPALIVE,
        )
        self._silent_until = 0.0

    def publish(self, topic: str, note: str) -> None:
        """Send a notification to a topic. After a failure, drop all notifications for SILENT_SECONDS.

        Raises ValueError if the notification is too large.
        """
        check_length(note)
        if time.monotonic() < self._silent_until:
            return
        try:
            self._redis.publish(topic, note)
        except (RedisError, OSError) as error:
            self._silent_until = time.monotonic() + SILENT_SECONDS
            log.warning("notification_lost", reason=str(error).strip())


class RedisListener(ChannelLayerListener):
    """Redis listener that subscribes to the topics of its groups."""

    BROKEN = (RedisError, OSError)

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._line: PubSub | None = None
        self._heard: dict[str, asyncio.Event] = {}
        """For each subscribed topic, an event that is set once Redis has confirmed the subscription."""
        self._turn = asyncio.Lock()
        """Lock held while a topic is added or removed, so that commands to Redis have the order of these changes."""

    async def join(self, group: str, channel: str) -> None:
        """Add a channel to a group, and subscribe to the group's topic."""
        # Without a confirmation in time, the group is notified later, because it may have missed notifications.
        await super().join(group, channel)
        topic = topic_name(group)
        async with self._turn:
            if topic not in self._heard and group in self._groups:
                self._heard[topic] = asyncio.Event()
                await self._send_command(PubSub.subscribe, topic)
        if self._line and (heard := self._heard.get(topic)) and not await wait_until_ready(heard):
            self._unconfirmed_groups.add(group)

    async def leave(self, group: str, channel: str) -> None:
        """Remove a channel from a group. Unsubscribe from the group's topic if nobody is left."""
        async with self._turn:
            await super().leave(group, channel)
            if group in self._groups:
                return
            self._heard.pop(topic_name(group), None)
            if self._task:
                await self._send_command(PubSub.unsubscribe, topic_name(group))

    async def _send_command(self, command: Callable[[PubSub, str], Awaitable[Any]], topic: str) -> None:
        """Send a subscribe or unsubscribe command, and ignore connection errors."""
        # The next connection subscribes to all topics. On a broken connection redis-py would connect anew here, while
        # the listening task does so, too.
        connection: Connection | None = self._line.connection if self._line else None
        if self._line is None or connection is None or not connection.is_connected:
            return
        try:
            await command(self._line, topic)
        except self.BROKEN as error:
            log.warning("notifications_interrupted", reason=str(error).strip())

    async def _receive_until_broken(self, *, again: bool) -> None:  # noqa: ARG002 - `_confirm` detects a reconnection
        redis = AsyncRedis.from_url(self._url, retry=NO_RETRY, socket_timeout=None, decode_responses=True, **KEEPALIVE)
        async with redis, redis.pubsub() as line:
            async with self._turn:
                await line.subscribe(CHANNEL, *self._heard)
                self._line = line
            try:
                await self._handle_line(line)
            finally:
                self._line = None

    async def _handle_line(self, line: PubSub) -> None:
        async for heard in line.listen():
            match heard["type"]:
                case "message":
                    self._deliver(heard["data"])
                case "subscribe":
                    self._confirm(heard["channel"])

    def _confirm(self, topic: str) -> None:
        """Mark a topic's subscription as confirmed."""
        # After a reconnection or a late confirmation the group may have missed notifications, so notify it.
        if topic == CHANNEL:
            self._ready.set()
        elif event := self._heard.get(topic):
            group = topic.removeprefix(f"{CHANNEL}.")
            if event.is_set() or group in self._unconfirmed_groups:
                self._notify_group(group)
            event.set()


class RedisChannelLayer(PostgresChannelLayer):
    """Channels layer over Redis; each event loop listens on one connection."""

    def _make_publisher(self) -> RedisPublisher:
        return RedisPublisher(self._address)

    def _make_listener(self) -> RedisListener:
        return RedisListener(self._address)

    def _publish_now(self, note: dict[str, Any]) -> None:
        self._publisher.publish(topic_name(note["to"]) if note["group"] else CHANNEL, json.dumps(note))
