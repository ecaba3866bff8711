"""Configuration of Celery's broker and of the Channels layer.

Both use the site's own database by default. A URL selects RabbitMQ or Redis instead.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.core.exceptions import ImproperlyConfigured
from kombu.entity import Exchange, Queue

BOT_QUEUES = ("league", "friendly", "ladder", "seats", "trials", "audits")
"""Queues of tasks that run bots, one for each kind of job. Such a task takes as long as the bots think."""
REVIEW_QUEUE = "reviews"
"""Queue of tasks that compute match reviews: long tasks that run no uploaded bots."""
QUEUE_NAMES = (*BOT_QUEUES, REVIEW_QUEUE, "house", "outside")
"""All queues. ``house`` is for short tasks that must not wait for long ones, ``outside`` for webhooks and mails."""
OWN_DATABASE = "pgmq://localhost"
"""Broker URL of the arena's own database; kombu requires a host, but takes the real address from its options."""
VISIBILITY_SECONDS = 2 * 60 * 60
"""Time after which an unacknowledged message reappears in its queue; more than twice the longest match."""
ANSWER_SECONDS = 2
"""Timeout in seconds for enqueuing a task; after a timeout, periodic tasks enqueue the task again."""
POLL_SECONDS = 60.0
"""Interval at which a worker polls its queues, because no notification announces a message that reappears."""
ENQUEUE_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "connect_retries_timeout": ANSWER_SECONDS}
"""Retry policy for the broker connection when a task is enqueued; by default kombu would block a request too long."""


class BrokerSettings(NamedTuple):
    """Settings for one kind of message broker."""

    options: Mapping[str, Any]
    """Options for kombu's connection."""
    queue_arguments: Mapping[str, Any] | None = None
    transport: str = ""
    """Path ``module:class`` of the kombu transport that `make_transport` extends for this broker; empty for none."""


PGMQ = BrokerSettings(  # queues in PostgreSQL, which notify about new messages and are also polled
    {
        "visibility_timeout": VISIBILITY_SECONDS,
        "wait_time_seconds": 0,
        "polling_interval": POLL_SECONDS,
        "use_notify": True,
        "notify_throttle_interval_ms": 0,
        "pool_size": 1,
        "pool_timeout": 10,
        "init_extension": False,
    }
)
RABBITMQ = BrokerSettings(  # replicated queues, with more than the default 30 minutes to acknowledge
    ENQUEUE_RETRY_POLICY, {"x-queue-type": "quorum", "x-consumer-timeout": VISIBILITY_SECONDS * 1000}
)
REDIS = BrokerSettings(  # with timeouts: by default kombu waits forever for a lost server
    {
        **ENQUEUE_RETRY_POLICY,
        "visibility_timeout": VISIBILITY_SECONDS,
        "socket_timeout": 2 * ANSWER_SECONDS,  # longer than kombu's blocking read of one second
        "socket_connect_timeout": ANSWER_SECONDS,
        "health_check_interval": 10,
        "socket_keepalive": True,
        "socket_keepalive_options": {socket.TCP_KEEPIDLE: 10, socket.TCP_KEEPINTVL: 5, socket.TCP_KEEPCNT: 3},
    },
    transport="kombu.transport.redis:Transport",
)
BROKERS = {"pgmq": PGMQ, "amqp": RABBITMQ, "amqps": RABBITMQ, "pyamqp": RABBITMQ, "redis": REDIS, "rediss": REDIS}
"""Brokers by the scheme of their URLs."""


def _find_broker(url: str) -> BrokerSettings:
    return BROKERS.get(url.partition("://")[0], BrokerSettings({}))


def queues(url: str) -> tuple[Queue, ...]:
    """Return all Celery queues, declared with the arguments that the broker at this URL needs."""
    arguments = _find_broker(url).queue_arguments
    return tuple(Queue(name, Exchange(name), routing_key=name, queue_arguments=arguments) for name in QUEUE_NAMES)


def transport_options(url: str, conninfo: str) -> dict[str, Any]:
    """Return kombu's options for the broker at this URL."""
    # OWN_DATABASE names no server, so the options include the connection string of the site's database.
    return {**_find_broker(url).options, **({"conn_string": conninfo} if url == OWN_DATABASE else {})}


def channel_layer(url: str, conninfo: str) -> dict[str, Any]:
    """Return the Channels layer's settings: Redis at `url`, or the site's database without a URL.

    Raises ImproperlyConfigured for any other URL.
    """
    if not url:
        return {
            "BACKEND": "deploy.messaging.postgres_channel_layer.PostgresChannelLayer",
            "CONFIG": {"address": conninfo},
        }
    if _find_broker(url) is REDIS:
        return {"BACKEND": "deploy.messaging.redis_channel_layer.RedisChannelLayer", "CONFIG": {"address": url}}
    raise ImproperlyConfigured(f"CHANNEL_LAYER_URL must be empty or begin with redis://, not {url.partition(':')[0]}:")
