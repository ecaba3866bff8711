"""The queues as kombu has them, but for one thing: what cannot be acknowledged is over all the same.

A task that ends while its broker (the database, or a Redis) is away cannot be taken off its queue. kombu goes on
counting it as unfinished, so a worker that takes one at a time would never take another. The message comes again when
its time is up, and does no harm: it is only a doorbell. RabbitMQ counts by itself, by connection.
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
"""How long a worker that has enough to do waits before it looks whether it still has. It asks the database nothing."""
MAX_IDLE_SECONDS = 5.0
"""How long a connection to the queues stays open although nothing was asked; the one that listens always does."""

SHARED: dict[tuple[int, str], tuple[PGMQueue, int]] = {}
"""The queues by process and address, and how many connections of kombu use them."""
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
    """For a channel whose counting is done here: frees a task's place whatever becomes of its message."""

    BROKEN: ClassVar[tuple[type[Exception], ...]]
    """What it raises when the broker is away."""
    qos: virtual.QoS

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        """Take a message off its queue; raises what a broken connection raises."""
        try:
            super().basic_ack(delivery_tag, multiple)  # type: ignore[misc]  # of the channel beside us
        except self.BROKEN:
            virtual.QoS.ack(self.qos, delivery_tag)
            raise

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Put a message back, or take it off; raises what a broken connection raises."""
        try:
            super().basic_reject(delivery_tag, requeue)  # type: ignore[misc]  # of the channel beside us
        except self.BROKEN:
            virtual.QoS.ack(self.qos, delivery_tag)
            raise


class DatabaseChannel(Freeing, pgmq.Channel):
    """One of the queues in the database."""

    BROKEN = (psycopg.OperationalError,)

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Put a message back, and say so, or take it off; raises what a broken connection raises."""
        queue = self.qos.get(delivery_tag).delivery_info.get("pgmq_queue") if requeue else None
        super().basic_reject(delivery_tag, requeue)
        if queue and self.pgmq.pool:
            with self.pgmq.pool.connection() as connection:
                connection.execute("SELECT pg_notify(%s, '')", [f"pgmq.q_{queue}.INSERT"])

    def _maybe_enable_notify(self, queue: str, queue_name: str | None = None) -> None:
        """Have a queue say when something is put in; listen to it only where it is consumed, not where it is made."""
        if queue_name is None:
            super()._maybe_enable_notify(queue)  # type: ignore[no-untyped-call]  # kombu ships few types
        elif self.use_notify:
            self.pgmq.enable_notify(queue_name, throttle_interval_ms=self.notify_throttle_interval_ms)

    def queue_declare(self, queue: Any = None, passive: Any = False, **kwargs: Any) -> Any:
        """Make a queue, or only look at it; kombu's own makes it again and listens to it in either case."""
        if not passive:
            return super().queue_declare(queue, **kwargs)  # type: ignore[no-untyped-call]  # kombu ships few types
        try:
            return queue_declare_ok_t(queue, self._size(queue), 0)
        except psycopg.errors.UndefinedTable:
            raise ChannelError(f"no queue {queue!r}", (50, 10), "Channel.queue_declare", str(ABSENT)) from None

    def _size(self, queue: str) -> int:
        """Return how many messages wait; kombu's own counts those too that a worker has."""
        return int(self.pgmq.metrics(self._queue_name(queue)).queue_visible_length)


class DatabaseTransport(pgmq.Transport):
    """kombu's, with our channel, and without what it asks besides: half of all statements were BEGIN or COMMIT."""

    Channel = DatabaseChannel

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)  # type: ignore[no-untyped-call]  # kombu ships few types
        self._shared = 0, ""
        self._empty_until = 0.0
        """Until when (monotonic seconds) the queues need no look, unless they say that something was put in."""

    def _create_pgmq_client(self) -> PGMQueue:
        """Return the queues as all connections of this process to one database share them."""
        assert self.client is not None
        address = self.client.transport_options.get("conn_string") or self.client.as_uri(include_password=True)
        self._shared = os.getpid(), str(address)
        with SHARING:
            client, users = SHARED.get(self._shared) or (self._open_queues(), 0)
            SHARED[self._shared] = client, users + 1
        return client

    def close_connection(self, connection: Any) -> None:
        """Close what is our own, and the shared queues if nobody else uses them."""
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
        """Return the queues, each question to which is one statement, and so needs no transaction around it."""
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

        Who has found the queues empty looks again once they say that something was put in, or when POLL_SECONDS are
        over. Who may not take any message looks soon again, as no message says that a task has ended.
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
        """Say that it is connected: its pool replaces what broke. kombu's own asks for all queues, each time."""
        return True


def _connection_of(waiter: Any) -> Any:
    """Return the connection on which kombu listens; None where it broke."""
    return waiter._conn


def _listens(waiter: Any) -> bool:
    return _connection_of(waiter) is not None


def _unhurried(connection: psycopg.Connection) -> None:
    """Wait for no disk: a bell that a loss of power takes is rung again by the sweepers."""
    connection.execute("SET synchronous_commit TO off")


class RedisChannel(Freeing, redis.Channel):
    """One of the queues in a Redis."""

    BROKEN = redis.Transport.connection_errors


class RedisTransport(redis.Transport):
    """kombu's, with our channel."""

    Channel = RedisChannel


def install() -> None:
    """Let the addresses of these brokers mean this."""
    TRANSPORT_ALIASES["pgmq"] = f"{__name__}:{DatabaseTransport.__name__}"
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:{RedisTransport.__name__}"
