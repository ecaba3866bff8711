"""The doorbells in the database go on ringing when it was away."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import psycopg
import pytest
from amqp.exceptions import ChannelError
from django.db import connection
from kombu import Connection, Consumer, Exchange, Message, Producer, Queue

from deploy.database import conninfo_of
from deploy.messaging.broker import OWN_DATABASE, transport_options
from deploy.messaging.transports import DatabaseTransport

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def broker() -> Iterator[Connection]:
    options = transport_options(OWN_DATABASE, conninfo_of(connection.settings_dict))
    with Connection(OWN_DATABASE, transport=DatabaseTransport, transport_options=options) as broker:
        yield broker


def cut_off(broker: Connection) -> None:
    """End the broker's connections, as a server does that goes down."""
    conninfo = broker.transport_options["conn_string"]
    with psycopg.connect(conninfo, autocommit=True) as other, connection.cursor() as ours:
        ours.execute("SELECT pg_backend_pid()")
        other.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), %s)",
            ours.fetchone(),
        )


@pytest.mark.parametrize("answer", ["ack", "reject", "requeue"])
def test_a_task_that_cannot_be_acknowledged_makes_room_for_the_next(broker: Connection, answer: str) -> None:
    name, heard = f"test_{uuid.uuid4().hex[:8]}", list[Message]()
    queue = Queue(name, Exchange(name), routing_key=name)
    channel = broker.channel()
    producer = Producer(channel, queue.exchange, name)
    with Consumer(channel, [queue], on_message=heard.append, prefetch_count=1):
        for number in range(2):
            producer.publish({"number": number})
        broker.drain_events(timeout=5)
        cut_off(broker)
        with pytest.raises(psycopg.OperationalError):
            getattr(heard[0], answer)()
        broker.drain_events(timeout=5)
    assert [message.payload["number"] for message in heard] == [0, 1]
    queue(channel).delete()


def backends() -> set[int]:
    """Return who is connected to the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        return {row[0] for row in cursor.fetchall()}


def test_whoever_counts_what_waits_connects_once_and_does_not_listen(broker: Connection) -> None:
    name = f"test_{uuid.uuid4().hex[:8]}"
    queue = Queue(name, Exchange(name), routing_key=name)(broker.channel())
    queue.declare()
    Producer(queue.channel, queue.exchange, name).publish({})
    options, before, seen = broker.transport_options, backends(), set[int]()
    with Connection(OWN_DATABASE, transport=DatabaseTransport, transport_options={**options, "pool_size": 1}) as other:
        for _ in range(3):
            with other.channel() as channel:
                assert channel.queue_declare(name, passive=True).message_count == 1
            seen |= backends() - before
    assert len(seen) == 1
    queue.delete()


def test_a_queue_that_is_not_there_is_not_made_by_looking(broker: Connection) -> None:
    with pytest.raises(ChannelError, match="no queue 'absent'"):
        broker.channel().queue_declare("absent", passive=True)
