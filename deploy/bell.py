"""The queues in the database as kombu has them, but for one thing: what cannot be acknowledged is over all the same.

A task that ends while the database is away cannot be taken off its queue. kombu goes on counting it as unfinished,
so a worker that takes one at a time would never take another. The message comes again when its time is up, and does
no harm: it is only a doorbell.
"""

from __future__ import annotations

import psycopg
from kombu.transport import TRANSPORT_ALIASES, pgmq


class Channel(pgmq.Channel):
    """Frees a task's place whatever becomes of its message."""

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        """Take a message off its queue; raises psycopg.OperationalError."""
        try:
            super().basic_ack(delivery_tag, multiple)  # type: ignore[no-untyped-call]  # kombu has no types
        except psycopg.OperationalError:
            self.qos.ack(delivery_tag)
            raise

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Put a message back, or take it off; raises psycopg.OperationalError."""
        try:
            super().basic_reject(delivery_tag, requeue)  # type: ignore[no-untyped-call]  # kombu has no types
        except psycopg.OperationalError:
            self.qos.ack(delivery_tag)
            raise


class Transport(pgmq.Transport):
    """kombu's, with our channel."""

    Channel = Channel


def install() -> None:
    """Let ``pgmq://`` mean this."""
    TRANSPORT_ALIASES["pgmq"] = f"{__name__}:Transport"
