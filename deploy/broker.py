"""Who carries the doorbells and the pokes: by default the database itself, else what a URL names."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from kombu.entity import Queue

QUEUES = (Queue("matches"), Queue("house"))
"""``matches`` is for what takes as long as bots think; ``house`` for what must not wait behind that."""
OWN_DATABASE = "pgmq://localhost"
"""The broker in our own database; the host is a word kombu insists on, the way there is in the options."""
VISIBILITY_SECONDS = 2 * 60 * 60
"""More than twice the longest match: a message that reappears sooner would be played beside itself."""


def transport_options(url: str, conninfo: str) -> dict[str, Any]:
    """Return what kombu needs to know about a broker; OWN_DATABASE is reached as the database is."""
    if not url.startswith("pgmq://"):
        return {}
    options = {
        "visibility_timeout": VISIBILITY_SECONDS,
        "wait_time_seconds": 0,
        "polling_interval": 0.05,
        "pool_size": 2,
        "pool_timeout": 10,
        "init_extension": False,
    }
    return {**options, "conn_string": conninfo} if url == OWN_DATABASE else options


def channel_layer(url: str, conninfo: str) -> dict[str, Any]:
    """Return the setting of the channel layer; no URL means our own database."""
    if not url:
        return {"BACKEND": "deploy.pokes.PokeLayer", "CONFIG": {"conninfo": conninfo}}
    if url.startswith(("redis://", "rediss://")):
        host = {"address": url, "socket_timeout": None}
        return {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [host]}}
    raise ImproperlyConfigured(f"CHANNEL_LAYER_URL must be empty or begin with redis://, not {url!r}")
