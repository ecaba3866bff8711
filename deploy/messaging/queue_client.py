"""PGMQ client for the queues in the database, with all parameters of the database's address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg
from kombu.transport import pgmq
from pgmq import PGMQueue
from psycopg.conninfo import make_conninfo
from psycopg_pool import ConnectionPool

POOL_SECONDS = 10.0
"""Default time in seconds to wait for a database connection."""
MAX_IDLE_SECONDS = 5.0
"""Seconds until an unused database connection to the queues is closed; the listening connection stays open."""


def read_queue_address(client: Any, default_port: int) -> str:
    """Return the libpq connection string of the database with the queues of a kombu client."""
    if given := client.transport_options.get("conn_string"):
        return str(given)
    name = (client.virtual_host or "").lstrip("/") or "postgres"
    port = client.port or default_port
    return make_conninfo(
        host=client.hostname or "localhost", port=port, dbname=name, user=client.userid, password=client.password
    )


def open_queues(address: str, options: Mapping[str, Any]) -> PGMQueue:
    """Return a PGMQ client whose database connections are in autocommit mode."""
    # The client's own pool would drop parameters such as `sslmode`, and add the user and the password `postgres`.
    pool = ConnectionPool(
        address,
        kwargs={"autocommit": True},  # saves BEGIN and COMMIT
        configure=_without_disk_wait,
        check=ConnectionPool.check_connection,
        min_size=0,
        max_size=int(options.get("pool_size", 1)),
        max_idle=MAX_IDLE_SECONDS,
        timeout=float(options.get("pool_timeout", POOL_SECONDS)),
        num_workers=1,
        open=True,
    )
    visible_after = int(options.get("visibility_timeout", pgmq.Channel.default_visibility_timeout))
    return PGMQueue(conn_string=address, vt=visible_after, init_extension=False, pool=pool)


def _without_disk_wait(connection: psycopg.Connection) -> None:
    # Messages lost in a power failure are enqueued again by periodic tasks.
    connection.execute("SET synchronous_commit TO off")
