"""Notifications over Redis, for more live matches than every server process could listen to.

Each group has a topic, and only processes with members subscribe to it. The layer keeps the guarantees of the layer
over the database (`channels_redis` does not: ADR 0021): without Redis neither senders nor listeners fail, a flood
nobody reads is cut, and when Redis is back every listener is notified once.
"""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Awaitable
from typing import Any

import structlog
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from deploy.messaging.listener import Listener, in_time
from deploy.messaging.pokes import PokeLayer
from deploy.messaging.publisher import CHANNEL, check_length

log = structlog.get_logger(__name__)
KEEPALIVE: dict[str, Any] = {
    "socket_keepalive": True,
    "socket_keepalive_options": {socket.TCP_KEEPIDLE: 10, socket.TCP_KEEPINTVL: 5, socket.TCP_KEEPCNT: 3},
}
"""Keepalive options that detect a lost machine within half a minute."""
ANSWER_SECONDS = 1.0
"""Timeout of a send: a match must not wait for a notification."""
SILENT_SECONDS = 5.0
"""Pause of sending after a timeout; subscribers poll every ten seconds anyway."""


def topic_of(group: str) -> str:
    """Return the topic of a group; CHANNEL alone is for single channels."""
    return f"{CHANNEL}.{group}"


class RedisPublisher:
    """Sender of notifications to all listeners of Redis; usable from any thread, event loop and fork."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(
            url,
            retry=Retry(NoBackoff(), 1),  # once, because the connection may have broken since the last notification
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            **KEEPALIVE,
        )
        self._silent_until = 0.0

    def say(self, topic: str, note: str) -> None:
        """Publish; without Redis, log and drop this notification and those of the next seconds."""
        check_length(note)
        if time.monotonic() < self._silent_until:
            return
        try:
            self._redis.publish(topic, note)
        except (RedisError, OSError) as error:
            self._silent_until = time.monotonic() + SILENT_SECONDS
            log.warning("poke_lost", reason=str(error).strip())


class RedisListener(Listener):
    """Listener that subscribes to the topics of its groups while they have members."""

    BROKEN = (RedisError, OSError)

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._line: PubSub | None = None
        self._heard: dict[str, asyncio.Event] = {}
        """By topic: set once Redis has confirmed the subscription."""
        self._turn = asyncio.Lock()
        """Held from a change of the groups to its command, so that commands are sent in the order of the changes."""

    async def join(self, group: str, channel: str) -> None:
        """Add a channel to a group; it receives messages from now on, or a notification after a late confirmation."""
        await super().join(group, channel)
        topic = topic_of(group)
        async with self._turn:
            if topic not in self._heard and group in self._groups:
                self._heard[topic] = asyncio.Event()
                if self._line:
                    await self._sent(self._line.subscribe(topic))
        if self._line and (heard := self._heard.get(topic)) and not await in_time(heard):
            self._late.add(group)

    async def leave(self, group: str, channel: str) -> None:
        """Remove a channel from a group."""
        async with self._turn:
            await super().leave(group, channel)
            if group in self._groups:
                return
            self._heard.pop(topic_of(group), None)
            if self._line and self._task:
                await self._sent(self._line.unsubscribe(topic_of(group)))

    async def _sent(self, command: Awaitable[Any]) -> None:
        """Send a command; if the connection breaks, the next one subscribes to all topics again."""
        try:
            await command
        except self.BROKEN as error:
            log.warning("pokes_interrupted", reason=str(error).strip())

    async def _hear(self, *, again: bool) -> None:  # noqa: ARG002 - a confirmation that comes again says so by topic
        redis = AsyncRedis.from_url(
            self._url, retry=AsyncRetry(NoBackoff(), 0), socket_timeout=None, decode_responses=True, **KEEPALIVE
        )
        async with redis, redis.pubsub() as line:
            async with self._turn:
                await line.subscribe(CHANNEL, *self._heard)
                self._line = line
            try:
                await self._take_in(line)
            finally:
                self._line = None

    async def _take_in(self, line: PubSub) -> None:
        async for heard in line.listen():
            match heard["type"]:
                case "message":
                    self._deliver(heard["data"])
                case "subscribe":
                    self._confirmed(heard["channel"])

    def _confirmed(self, topic: str) -> None:
        """Mark a topic as subscribed; notify its group if it was before, or if a member did not wait."""
        if topic == CHANNEL:
            self._ready.set()
        elif event := self._heard.get(topic):
            group = topic.removeprefix(f"{CHANNEL}.")
            if event.is_set() or group in self._late:
                self._tell_group(group)
            event.set()


class RedisPokeLayer(PokeLayer):
    """The channel layer over Redis."""

    def _make_publisher(self) -> RedisPublisher:
        return RedisPublisher(self._address)

    def _make_listener(self) -> RedisListener:
        return RedisListener(self._address)

    def _say_now(self, note: dict[str, Any]) -> None:
        self._publisher.say(topic_of(note["to"]) if note["group"] else CHANNEL, json.dumps(note))
