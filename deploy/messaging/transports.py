"""kombu transports whose workers survive an unreachable broker."""
# A task that ends while the broker is unreachable cannot acknowledge its message. kombu would count this message as
# unfinished for ever, and a worker that takes one message at a time would never take another. The repeated delivery is
# harmless: a task reads its work from the database.

from __future__ import annotations

import math
import os
import threading
import time
from contextlib import suppress
from functools import cache, partial
from typing import Any, ClassVar

import psycopg
from amqp.exceptions import ChannelError
from amqp.protocol import queue_declare_ok_t
from kombu.transport import TRANSPORT_ALIASES, pgmq, virtual
from kombu.utils.imports import symbol_by_name
from pgmq import PGMQueue

from bots.sandbox.file_descriptor_polling import is_readable, list_readable
from deploy.messaging.broker import BROKERS
from deploy.messaging.queue_client import open_queues, read_queue_address
from foundation.celery_task_messages import NO_SUCH_QUEUE

BUSY_SECONDS = 0.1
"""Interval at which a busy worker checks whether it may take another message; the check uses no database."""
RELISTEN_SECONDS = 1.0  # pause after an attempt to listen for which the database had no connection left
SHARED_CONNECTIONS: dict[tuple[int, str], tuple[PGMQueue, int]] = {}
"""(process id, database address) -> (PGMQ client, number of kombu connections that share the client)."""
SHARING_LOCK = threading.RLock()
os.register_at_fork(
    before=SHARING_LOCK.acquire, after_in_parent=SHARING_LOCK.release, after_in_child=SHARING_LOCK.release
)


class StopConsumingFlag:
    """Flag that makes this process stop waiting for messages."""

    # It is a pipe: after a signal, `poll` would go on.

    def __init__(self) -> None:
        self._process, self._ends = 0, (0, 0)

    def _pipe(self) -> tuple[int, int]:
        """Return the (read, write) descriptors of this process's pipe; a forked process creates its own."""
        if self._process != os.getpid():
            self._process, self._ends = os.getpid(), os.pipe()
        return self._ends

    def fileno(self) -> int:
        """Return a descriptor that becomes readable when the flag is set."""
        return self._pipe()[0]

    def set(self) -> None:
        """Set the flag for good; safe to call from a signal handler."""
        os.write(self._pipe()[1], b"!")

    def is_set(self) -> bool:
        """Return True if the flag is set."""
        return is_readable(self.fileno(), 0)


STOP_FLAG = StopConsumingFlag()


class PrefetchSlotReleaseMixin:
    """Mixin for kombu channels that frees a message's prefetch slot even if the broker is unreachable."""

    BROKEN: ClassVar[tuple[type[Exception], ...]]
    """Exceptions that mean an unreachable broker."""
    qos: virtual.QoS

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        """Acknowledge a message. If the broker is unreachable, free its slot and raise the connection error."""
        try:
            super().basic_ack(delivery_tag, multiple)  # type: ignore[misc]  # the channel class is mixed in later
        except self.BROKEN:
            virtual.QoS.ack(self.qos, delivery_tag)
            raise

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Requeue or discard a message. Raises the connection error if the broker is unreachable."""
        # The message's slot is then freed all the same.
        try:
            super().basic_reject(delivery_tag, requeue)  # type: ignore[misc]  # the channel class is mixed in later
        except self.BROKEN:
            virtual.QoS.ack(self.qos, delivery_tag)
            raise


class PgmqChannel(PrefetchSlotReleaseMixin, pgmq.Channel):
    """kombu channel for the queues in PostgreSQL."""

    BROKEN = (psycopg.OperationalError,)

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Discard a message, or requeue it and notify the workers."""
        # PGMQ itself notifies them only of new messages.
        queue = self.qos.get(delivery_tag).delivery_info.get("pgmq_queue") if requeue else None
        super().basic_reject(delivery_tag, requeue)
        if queue and self.pgmq.pool:
            with self.pgmq.pool.connection() as connection:
                connection.execute("SELECT pg_notify(%s, '')", [f"pgmq.q_{queue}.INSERT"])

    def _maybe_enable_notify(self, queue: str, queue_name: str | None = None) -> None:
        """Let the database notify of a queue's new messages. If `queue_name` is None, also listen for them."""
        if queue_name is None:  # kombu is about to consume the queue
            super()._maybe_enable_notify(queue)  # type: ignore[no-untyped-call]  # kombu ships few types
        elif self.use_notify:
            self.pgmq.enable_notify(queue_name, throttle_interval_ms=self.notify_throttle_interval_ms)

    def queue_declare(self, queue: Any = None, passive: Any = False, **kwargs: Any) -> Any:
        """Declare a queue. If `passive` is True, only count its messages."""
        if not passive:  # kombu's own method ignores `passive`
            return super().queue_declare(queue, **kwargs)  # type: ignore[no-untyped-call]  # kombu ships few types
        try:
            return queue_declare_ok_t(queue, self._size(queue), 0)
        except psycopg.errors.UndefinedTable:
            raise ChannelError(f"no queue {queue!r}", (50, 10), "Channel.queue_declare", str(NO_SUCH_QUEUE)) from None

    def _size(self, queue: str) -> int:
        """Return the number of messages that wait for a worker."""
        # kombu's own method also counts those in progress.
        return int(self.pgmq.metrics(self._queue_name(queue)).queue_visible_length)


class PgmqTransport(pgmq.Transport):
    """kombu transport over PostgreSQL that uses `PgmqChannel` and database connections in autocommit mode."""

    Channel = PgmqChannel

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)  # type: ignore[no-untyped-call]  # kombu ships few types
        self._shared = 0, ""
        self._empty_until = 0.0
        """Monotonic time in seconds. Until then the queues count as empty, and only a notification causes a poll."""

    def _create_pgmq_client(self) -> PGMQueue:
        # All kombu connections of this process to the same database share the client.
        assert self.client is not None
        address = read_queue_address(self.client, self.default_port)
        self._shared = os.getpid(), address
        with SHARING_LOCK:
            options = self.client.transport_options
            client, users = SHARED_CONNECTIONS.get(self._shared) or (open_queues(address, options), 0)
            SHARED_CONNECTIONS[self._shared] = client, users + 1
        return client

    def _get_notify_waiter(self) -> Any:
        if self._notify_waiter is None:
            self._notify_waiter = pgmq._NotifyWaiter(read_queue_address(self.client, self.default_port))
        return self._notify_waiter

    def close_connection(self, connection: Any) -> None:
        """Close a kombu connection; after the last one, close the shared PGMQ client's database connections too."""
        had, self._pgmq_client = self._pgmq_client, None
        super().close_connection(connection)
        if had is None or self._shared[0] != os.getpid():
            return
        with SHARING_LOCK:
            client, users = SHARED_CONNECTIONS.pop(self._shared)
            if users > 1:
                SHARED_CONNECTIONS[self._shared] = client, users - 1
            elif client.pool is not None:
                client.pool.close()

    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """Wait for a message and deliver it. Raises TimeoutError if no message comes."""
        # A busy worker polls every BUSY_SECONDS, because no notification announces the end of a task.
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
            if time.monotonic() >= until or STOP_FLAG.is_set():
                raise TimeoutError

    def _is_silent(self, until: float) -> bool:
        """Wait for a notification, at most until the next poll is due. Return True if there is nothing to poll yet."""
        waiter = self._get_notify_waiter()
        if _connection_of(waiter) is None:  # listen again, and poll once: messages may have come meanwhile
            with suppress(OSError, psycopg.OperationalError):  # the poll fails, too, if the database is away
                waiter.wait(0)
            return _connection_of(waiter) is None and is_readable(STOP_FLAG.fileno(), RELISTEN_SECONDS)
        seconds = min(until, self._empty_until) - time.monotonic()
        if self._empty_until <= time.monotonic():
            return False
        with suppress(psycopg.OperationalError):  # a closed connection has no file descriptor
            ready = list_readable((_connection_of(waiter).fileno(), STOP_FLAG.fileno()), seconds)
            if ready <= {STOP_FLAG.fileno()} or (not waiter.wait(0) and _connection_of(waiter)):
                return time.monotonic() < self._empty_until
        return False

    def verify_connection(self, _connection: object) -> bool:
        """Return True without a check."""
        return True  # the pool replaces broken connections; kombu's check lists all queues


def _connection_of(waiter: Any) -> Any:
    """Return the database connection on which kombu waits for notifications, or None if it is not connected."""
    return waiter._conn


def install_transports() -> None:
    """Register the transports of this module with kombu, by the schemes of the brokers' URLs."""
    TRANSPORT_ALIASES["pgmq"] = f"{__name__}:{PgmqTransport.__name__}"
    for scheme, broker in BROKERS.items():
        if broker.transport:
            TRANSPORT_ALIASES[scheme] = partial(make_transport, broker.transport)  # type: ignore[assignment]  # kombu calls it


@cache
def make_transport(path: str) -> Any:
    """Return a subclass of the kombu transport `path` (``module:class``) that uses `PrefetchSlotReleaseMixin`."""
    base = symbol_by_name(path)
    channel = type("Channel", (PrefetchSlotReleaseMixin, base.Channel), {"BROKEN": base.connection_errors})
    return type("Transport", (base,), {"Channel": channel})
