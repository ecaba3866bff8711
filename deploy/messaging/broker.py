"""Configuration of the message broker and the channel layer: the database by default, else the server of a URL."""

from __future__ import annotations

import socket
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from kombu.entity import Exchange, Queue

WITH_BOTS = ("league", "friendly", "ladder", "seats", "trials", "audits")
"""Queues of tasks that last as long as bots think, one per kind: see `bots.turns`."""
REVIEWS = "reviews"
"""Queue of long tasks that start no uploaded bots."""
NAMES = (*WITH_BOTS, REVIEWS, "house", "outside")
"""``house`` is for tasks that must not wait behind those, ``outside`` for tasks that wait for foreign servers."""
OWN_DATABASE = "pgmq://localhost"
"""Broker in our own database; kombu requires a host, and the options have the address."""
RABBITMQ = ("amqp://", "amqps://", "pyamqp://")
REDIS = ("redis://", "rediss://")
VISIBILITY_SECONDS = 2 * 60 * 60
"""More than twice the longest match: a message that reappears sooner would be for a match still being played."""
ANSWER_SECONDS = 2
"""Timeout of the broker when enqueuing; the sweepers enqueue again after a failure."""
POLL_SECONDS = 60.0
"""Interval at which a worker polls its queues without a notification: for messages that were hidden for a time."""
GIVE_UP_SOON = {"max_retries": 1, "interval_start": 0, "connect_retries_timeout": ANSWER_SECONDS}
"""Connection policy when enqueuing; by default kombu would retry for as long as an upload's page waits."""
QUORUM = {"x-queue-type": "quorum", "x-consumer-timeout": VISIBILITY_SECONDS * 1000}
"""Arguments of a replicated RabbitMQ queue, with more than the default 30 minutes to acknowledge."""


def queues(url: str) -> tuple[Queue, ...]:
    """Return the queues with the arguments of a broker."""
    arguments = QUORUM if url.startswith(RABBITMQ) else None
    return tuple(Queue(name, Exchange(name), routing_key=name, queue_arguments=arguments) for name in NAMES)


def transport_options(url: str, conninfo: str) -> dict[str, Any]:
    """Return kombu's options for a broker; OWN_DATABASE uses the connection of the database."""
    if url.startswith("pgmq://"):
        return {**_pgmq(), "conn_string": conninfo} if url == OWN_DATABASE else _pgmq()
    if url.startswith(REDIS):
        return {**GIVE_UP_SOON, **_redis()}
    return dict(GIVE_UP_SOON) if url.startswith(RABBITMQ) else {}


def _pgmq() -> dict[str, Any]:
    """Return the options of the queues in the database, which notify about new messages and are polled now and then."""
    return {
        "visibility_timeout": VISIBILITY_SECONDS,
        "wait_time_seconds": 0,
        "polling_interval": POLL_SECONDS,
        "use_notify": True,
        "notify_throttle_interval_ms": 0,
        "pool_size": 1,
        "pool_timeout": 10,
        "init_extension": False,
    }


def _redis() -> dict[str, Any]:
    """Return the options of Redis, with timeouts: by default kombu waits forever for a lost server."""
    return {
        "visibility_timeout": VISIBILITY_SECONDS,
        "socket_timeout": 2 * ANSWER_SECONDS,  # more than the second for which a worker blocks
        "socket_connect_timeout": ANSWER_SECONDS,
        "health_check_interval": 10,
        "socket_keepalive": True,
        "socket_keepalive_options": {socket.TCP_KEEPIDLE: 10, socket.TCP_KEEPINTVL: 5, socket.TCP_KEEPCNT: 3},
    }


def channel_layer(url: str, conninfo: str) -> dict[str, Any]:
    """Return the setting of the channel layer; without a URL it is our own database."""
    if not url:
        return {"BACKEND": "deploy.messaging.pokes.PokeLayer", "CONFIG": {"address": conninfo}}
    if url.startswith(REDIS):
        return {"BACKEND": "deploy.messaging.redis_pokes.RedisPokeLayer", "CONFIG": {"address": url}}
    raise ImproperlyConfigured(f"CHANNEL_LAYER_URL must be empty or begin with redis://, not {url!r}")
