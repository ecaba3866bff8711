"""Who carries the doorbells and the pokes: by default the database itself, else what a URL names."""

from __future__ import annotations

import socket
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from kombu.entity import Exchange, Queue

WITH_BOTS = ("league", "friendly", "ladder", "seats", "trials", "audits")
"""One for each kind of thing that takes as long as bots think: see `bots.turns`."""
REVIEWS = "reviews"
"""What takes long and starts no bot that strangers wrote."""
NAMES = (*WITH_BOTS, REVIEWS, "house", "outside")
"""``house`` is for what must not wait behind any of them, ``outside`` for what waits for other people's servers."""
OWN_DATABASE = "pgmq://localhost"
"""The broker in our own database; the host is a word kombu insists on, the way there is in the options."""
RABBITMQ = ("amqp://", "amqps://", "pyamqp://")
REDIS = ("redis://", "rediss://")
VISIBILITY_SECONDS = 2 * 60 * 60
"""More than twice the longest match: a message that reappears sooner would ring for a match that is being played."""
ANSWER_SECONDS = 2
"""How long one who rings waits for a broker; the sweepers ring again for what it never heard."""
POLL_SECONDS = 60.0
"""How often a worker looks into its queues although they said nothing: for what was hidden there for a time."""
GIVE_UP_SOON = {"max_retries": 1, "interval_start": 0, "connect_retries_timeout": ANSWER_SECONDS}
"""How one who rings connects; left alone, kombu tries for as long as an upload's page would wait."""
QUORUM = {"x-queue-type": "quorum", "x-consumer-timeout": VISIBILITY_SECONDS * 1000}
"""A queue that survives a node of RabbitMQ, which takes a match for dead after 30 minutes unless told otherwise."""


def queues(url: str) -> tuple[Queue, ...]:
    """Return the queues as a broker is to have them."""
    arguments = QUORUM if url.startswith(RABBITMQ) else None
    return tuple(Queue(name, Exchange(name), routing_key=name, queue_arguments=arguments) for name in NAMES)


def transport_options(url: str, conninfo: str) -> dict[str, Any]:
    """Return what kombu needs to know about a broker; OWN_DATABASE is reached as the database is."""
    if url.startswith("pgmq://"):
        return {**_pgmq(), "conn_string": conninfo} if url == OWN_DATABASE else _pgmq()
    if url.startswith(REDIS):
        return {**GIVE_UP_SOON, **_redis()}
    return dict(GIVE_UP_SOON) if url.startswith(RABBITMQ) else {}


def _pgmq() -> dict[str, Any]:
    """Return the options of the queues in the database; it says when something is put in, and is asked now and then."""
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
    """Return the options of a Redis that may be gone without a word; kombu would wait for its answer for ever."""
    return {
        "visibility_timeout": VISIBILITY_SECONDS,
        "socket_timeout": 2 * ANSWER_SECONDS,  # more than the second that a worker asks to be kept waiting
        "socket_connect_timeout": ANSWER_SECONDS,
        "health_check_interval": 10,
        "socket_keepalive": True,
        "socket_keepalive_options": {socket.TCP_KEEPIDLE: 10, socket.TCP_KEEPINTVL: 5, socket.TCP_KEEPCNT: 3},
    }


def channel_layer(url: str, conninfo: str) -> dict[str, Any]:
    """Return the setting of the channel layer; no URL means our own database."""
    if not url:
        return {"BACKEND": "deploy.messaging.pokes.PokeLayer", "CONFIG": {"address": conninfo}}
    if url.startswith(REDIS):
        return {"BACKEND": "deploy.messaging.redis_pokes.RedisPokeLayer", "CONFIG": {"address": url}}
    raise ImproperlyConfigured(f"CHANNEL_LAYER_URL must be empty or begin with redis://, not {url!r}")
