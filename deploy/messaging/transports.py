"""kombu's queue transports with one change: a message that cannot be acknowledged counts as finished.

A task that ends while its broker (the database, or Redis) is away cannot remove its message. kombu goes on counting it
as unfinished, so a worker that takes one at a time would never take another. The message reappears after its visibility
timeout and is harmless: it only makes a worker look for work. RabbitMQ counts by itself, by connection.
"""

from __future__ import annotations

import math
import os
import select
import threading
import time
from contextlib import suppress
from typing import Any, ClassVar

import psycopg
from amqp.exceptions import ChannelError
from amqp.protocol import queue_declare_ok_t
from kombu.transport import TRANSPORT_ALIASES, pgmq, redis, virtual
from pgmq import PGMQueue
from psycopg_pool import ConnectionPool

from foundation.doorbell import ABSENT

BUSY_SECONDS = 0.1
"""Interval at which a busy worker checks whether it has free slots. This uses no database."""
MAX_IDLE_SECONDS = 5.0
"""Seconds until an unused connection to the queues is closed; the listening one stays open."""

SHARED: dict[tuple[int, str], tuple[PGMQueue, int]] = {}
"""Queues by process and address, with the number of kombu connections that use them."""
SHARING = threading.RLock()
os.register_at_fork(before=SHARING.acquire, after_in_parent=SHARING.release, after_in_child=SHARING.release)


class StopFlag:
    """A pipe that ends all waiting of this process for messages, as no signal does."""

    def __init__(self) -> None:
        self._process, self._ends = 0, (0, 0)

    def _pipe(self) -> tuple[int, int]:
        """Return the pipe of this process, which none that it was forked from has."""
        if self._process != os.getpid():
            self._process, self._ends = os.getpid(), os.pipe()
        return self._ends

    def fileno(self) -> int:
        """Return the descriptor that can be read from once waiting is to end."""
        return self._pipe()[0]

    def ask(self) -> None:
        """End all waiting, now and later; safe to call from a signal's handler."""
        os.write(self._pipe()[1], b"!")

    def is_asked(self) -> bool:
        """Return True once waiting is to end."""
        return bool(select.select([self], [], [], 0)[0])


STOPPED = StopFlag()


class Freeing:
    """Mixin for channels that count in this process: frees a task's slot even if the broker is away."""

    BROKEN: ClassVar[tuple[type[Exception], ...]]
    """Exceptions of an unreachable broker."""
    qos: virtual.QoS

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        """Remove a message from its queue; raises the exception of a broken connection."""
        try:
            super().basic_ack(delivery_tag, multiple)  # type: ignore[misc]  # of the channel beside us
        except self.BROKEN:
            virtual.QoS.ack(self.qos, delivery_tag)
            raise

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Requeue or discard a message; raises the exception of a broken connection."""
        try:
            super().basic_reject(delivery_tag, requeue)  # type: ignore[misc]  # of the channel beside us
        except self.BROKEN:
            virtual.QoS.ack(self.qos, delivery_tag)
            raise


class DatabaseChannel(Freeing, pgmq.Channel):
    """A channel of the queues in the database."""

    BROKEN = (psycopg.OperationalError,)

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Requeue a message and notify, or discard it; raises the exception of a broken connection."""
        queue = self.qos.get(delivery_tag).delivery_info.get("pgmq_queue") if requeue else None
        super().basic_reject(delivery_tag, requeue)
        if queue and self.pgmq.pool:
            with self.pgmq.pool.connection() as connection:
                connection.execute("SELECT pg_notify(%s, '')", [f"pgmq.q_{queue}.INSERT"])

    def _maybe_enable_notify(self, queue: str, queue_name: str | None = None) -> None:
        """Make a queue notify about new messages; listen to it only where it is consumed, not where it is produced."""
        if queue_name is None:
            super()._maybe_enable_notify(queue)  # type: ignore[no-untyped-call]  # kombu ships few types
        elif self.use_notify:
            self.pgmq.enable_notify(queue_name, throttle_interval_ms=self.notify_throttle_interval_ms)

    def queue_declare(self, queue: Any = None, passive: Any = False, **kwargs: Any) -> Any:
        """Declare a queue, or only inspect it. kombu's own declares it and listens to it in either case."""
        if not passive:
            return super().queue_declare(queue, **kwargs)  # type: ignore[no-untyped-call]  # kombu ships few types
        try:
            return queue_declare_ok_t(queue, self._size(queue), 0)
        except psycopg.errors.UndefinedTable:
            raise ChannelError(f"no queue {queue!r}", (50, 10), "Channel.queue_declare", str(ABSENT)) from None

    def _size(self, queue: str) -> int:
        """Return the number of waiting messages; kombu's own includes those that a worker has."""
        return int(self.pgmq.metrics(self._queue_name(queue)).queue_visible_length)


class DatabaseTransport(pgmq.Transport):
    """kombu's transport with our channel and fewer statements: half of all statements were BEGIN or COMMIT."""

    Channel = DatabaseChannel

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)  # type: ignore[no-untyped-call]  # kombu ships few types
        self._shared = 0, ""
        self._empty_until = 0.0
        """Time (monotonic seconds) until which the queues need no polling unless they notify."""

    def _create_pgmq_client(self) -> PGMQueue:
        """Return the queue client that all connections of this process to one database share."""
        assert self.client is not None
        address = self.client.transport_options.get("conn_string") or self.client.as_uri(include_password=True)
        self._shared = os.getpid(), str(address)
        with SHARING:
            client, users = SHARED.get(self._shared) or (self._open_queues(), 0)
            SHARED[self._shared] = client, users + 1
        return client

    def close_connection(self, connection: Any) -> None:
        """Close our own resources, and the shared queues if nobody else uses them."""
        had, self._pgmq_client = self._pgmq_client, None
        super().close_connection(connection)
        if had is None or self._shared[0] != os.getpid():
            return
        with SHARING:
            client, users = SHARED.pop(self._shared)
            if users > 1:
                SHARED[self._shared] = client, users - 1
            elif client.pool is not None:
                client.pool.close()

    def _open_queues(self) -> PGMQueue:
        """Return the queue client in autocommit mode: each of its queries is one statement."""
        client = super()._create_pgmq_client()
        assert client.pool is not None
        patience = client.pool.timeout
        client.pool.close()
        client.pool = ConnectionPool(
            client.config.dsn,
            kwargs={"autocommit": True},
            configure=_unhurried,
            check=ConnectionPool.check_connection,
            min_size=0,
            max_size=client.config.pool_size,
            max_idle=MAX_IDLE_SECONDS,
            timeout=patience,
            num_workers=1,
            open=True,
        )
        return client

    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """Wait for a message; raises TimeoutError, at once where this process was asked to stop waiting.

        After finding the queues empty, poll again on a notification or after POLL_SECONDS. A consumer at its limit
        polls soon again, because no message announces the end of a task.
        """
        if not all(channel.qos.can_consume() for channel in connection.channels):
            super().drain_events(connection, timeout=min(timeout or BUSY_SECONDS, BUSY_SECONDS))  # type: ignore[no-untyped-call]  # kombu ships few types
            return
        until = math.inf if timeout is None else time.monotonic() + timeout
        while True:
            if not self._is_silent(until):
                try:
                    super().drain_events(connection, timeout=0)  # type: ignore[no-untyped-call]  # see above
                except TimeoutError:
                    self._empty_until = time.monotonic() + self.polling_interval
                else:
                    self._empty_until = 0.0
                    return
            if time.monotonic() >= until or STOPPED.is_asked():
                raise TimeoutError

    def _is_silent(self, until: float) -> bool:
        """Wait until the queues say that something was put in; True if they did not, and need no look yet."""
        waiter = self._get_notify_waiter()
        seconds = min(until, self._empty_until) - time.monotonic()
        if self._empty_until <= time.monotonic() or not _listens(waiter):
            return False
        with suppress(psycopg.OperationalError):  # a connection that is closed has no descriptor
            ready, _, _ = select.select([_connection_of(waiter).fileno(), STOPPED], [], [], max(0.0, seconds))
            if not ready or ready == [STOPPED] or (not waiter.wait(0) and _listens(waiter)):
                return time.monotonic() < self._empty_until
        return False

    def verify_connection(self, _connection: object) -> bool:
        """Report a working connection: its pool replaces broken ones. kombu's own lists all queues each time."""
        return True


def _connection_of(waiter: Any) -> Any:
    """Return the connection on which kombu listens; None where it broke."""
    return waiter._conn


def _listens(waiter: Any) -> bool:
    return _connection_of(waiter) is not None


def _unhurried(connection: psycopg.Connection) -> None:
    """Do not wait for the disk: the sweepers replace messages lost in a power failure."""
    connection.execute("SET synchronous_commit TO off")


class RedisChannel(Freeing, redis.Channel):
    """A channel of the queues in Redis."""

    BROKEN = redis.Transport.connection_errors


class RedisTransport(redis.Transport):
    """kombu's transport with our channel."""

    Channel = RedisChannel


def install() -> None:
    """Register these transports for their URL schemes."""
    TRANSPORT_ALIASES["pgmq"] = f"{__name__}:{DatabaseTransport.__name__}"
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:{RedisTransport.__name__}"
