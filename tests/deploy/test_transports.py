"""Queues in the database: connections, notifications, and recovery after an outage."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import SimpleNamespace

import psycopg
import pytest
from amqp.exceptions import ChannelError
from django.db import connection
from kombu import Connection, Consumer, Exchange, Message, Producer, Queue
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from deploy.config.database import conninfo_of
from deploy.messaging.broker import OWN_DATABASE, transport_options
from deploy.messaging.queue_client import read_queue_address
from deploy.messaging.transports import PgmqTransport
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def broker() -> Iterator[Connection]:
    options = transport_options(OWN_DATABASE, conninfo_of(connection.settings_dict)) | {"pool_timeout": 0.5}
    with Connection(OWN_DATABASE, transport=PgmqTransport, transport_options=options) as broker:
        yield broker


@contextmanager
def away() -> Iterator[None]:
    """Make the database unreachable for all other connections during the block."""
    settings = {**connection.settings_dict, "NAME": "postgres"}
    with psycopg.connect(conninfo_of(settings), autocommit=True) as other, connection.cursor() as ours:
        ours.execute("SELECT current_database(), pg_backend_pid()")
        name, own = ours.fetchone()
        allow = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}").format
        other.execute(allow(sql.Identifier(name), sql.SQL("false")))
        try:
            gone = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s AND pid <> %s"
            other.execute(gone, [name, own])
            yield
        finally:
            other.execute(allow(sql.Identifier(name), sql.SQL("true")))


def test_enqueueing_a_task_does_not_wait_for_the_disk(broker: Connection) -> None:
    pool = broker.channel().pgmq.pool
    with pool.connection() as one, one.cursor() as cursor:
        cursor.execute("SELECT setting, source FROM pg_settings WHERE name = 'synchronous_commit'")
        assert cursor.fetchone() == ("off", "session"), "it says so itself, as the tests' server waits for none either"


def test_the_queues_are_reached_as_the_user_and_with_the_parameters_of_the_database_url(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = f"reader_{uuid.uuid4().hex[:8]}"
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("CREATE ROLE {} LOGIN SUPERUSER").format(sql.Identifier(name)).as_string())
    monkeypatch.setenv("PGUSER", name)  # libpq uses this user if the address names none
    settings = {name: value for name, value in connection.settings_dict.items() if name not in {"USER", "PASSWORD"}}
    address = f"{conninfo_of(settings)} application_name=queues"
    options = transport_options(OWN_DATABASE, address)
    try:
        with Connection(OWN_DATABASE, transport=PgmqTransport, transport_options=options) as broker:
            channel = broker.channel()
            channel.connection._get_notify_waiter().register("reviews")
            with channel.pgmq.pool.connection(), connection.cursor() as cursor:
                cursor.execute("SELECT usename FROM pg_stat_activity WHERE application_name = 'queues'")
                assert cursor.fetchall() == [(name,)] * 2, "the pool, and the connection that listens"
    finally:
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)).as_string())


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["ack", "reject", "requeue"])
def test_a_failed_acknowledgement_frees_the_prefetch_slot(broker: Connection, answer: str) -> None:
    name, heard = f"test_{uuid.uuid4().hex[:8]}", list[Message]()
    queue = Queue(name, Exchange(name), routing_key=name)
    channel = broker.channel()
    producer = Producer(channel, queue.exchange, name)
    with Consumer(channel, [queue], on_message=heard.append, prefetch_count=1):
        for number in range(2):
            producer.publish({"number": number})
        broker.drain_events(timeout=5)
        with away(), pytest.raises(psycopg.OperationalError):
            getattr(heard[0], answer)()

        def hears_again() -> bool:
            with suppress(psycopg.OperationalError, TimeoutError):
                broker.drain_events(timeout=1)
            return len(heard) == 2

        wait_for(hears_again, "the next task")
    assert [message.payload["number"] for message in heard] == [0, 1]
    queue(channel).delete()


def backends() -> set[int]:
    """Return the connections to the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        return {row[0] for row in cursor.fetchall()}


def test_queue_lookups_of_one_process_open_no_additional_database_connection(broker: Connection) -> None:
    name = f"test_{uuid.uuid4().hex[:8]}"
    queue = Queue(name, Exchange(name), routing_key=name)(broker.channel())
    queue.declare()
    Producer(queue.channel, queue.exchange, name).publish({})
    options, before, seen = broker.transport_options, backends(), set[int]()
    with Connection(OWN_DATABASE, transport=PgmqTransport, transport_options=options) as other:
        for _ in range(3):
            with other.channel() as channel:
                assert channel.queue_declare(name, passive=True).message_count == 1
            seen |= backends() - before
    assert seen == set()
    queue.delete()


def test_a_passive_queue_declaration_does_not_create_the_queue(broker: Connection) -> None:
    with pytest.raises(ChannelError, match="no queue 'absent'"):
        broker.channel().queue_declare("absent", passive=True)


def test_a_busy_consumer_does_not_query_the_database(broker: Connection) -> None:
    name = f"test_{uuid.uuid4().hex[:8]}"
    queue, heard = Queue(name, Exchange(name), routing_key=name), list[Message]()
    channel = broker.channel()
    producer = Producer(channel, queue.exchange, name)
    with Consumer(channel, [queue], on_message=heard.append, prefetch_count=1):
        for number in range(2):
            producer.publish({"number": number})
        broker.drain_events(timeout=5)
        asked = channel._receive_messages
        channel._receive_messages = pytest.fail
        with pytest.raises(TimeoutError):
            broker.drain_events(timeout=60)
        channel._receive_messages = asked
        heard[0].ack()
        broker.drain_events(timeout=5)
    assert [message.payload["number"] for message in heard] == [0, 1]
    queue(channel).delete()


@pytest.mark.slow
def test_an_idle_consumer_waits_for_a_notification_without_polling(
    broker: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, heard = list[str](), list[Message]()
    name = f"test_{uuid.uuid4().hex[:8]}"
    queue, channel = Queue(name, Exchange(name), routing_key=name), broker.channel()
    look = channel._receive_messages
    monkeypatch.setattr(channel, "_receive_messages", lambda queue, **how: looks.append(queue) or look(queue, **how))
    with Consumer(channel, [queue], on_message=heard.append):
        for _ in range(4):
            with pytest.raises(TimeoutError):
                broker.drain_events(timeout=0.2)
        assert len(looks) <= 2, "the first time it looks before it waits, and perhaps once more as it began to listen"
        Producer(broker.channel(), queue.exchange, name).publish({})
        broker.drain_events(timeout=5)
    assert len(heard) == 1
    queue(channel).delete()


@pytest.mark.slow
def test_an_idle_consumer_checks_its_queue_again_after_its_connection_broke_and_then_waits_quietly(
    broker: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, heard, name = list[str](), list[Message](), f"test_{uuid.uuid4().hex[:8]}"
    queue, channel = Queue(name, Exchange(name), routing_key=name), broker.channel()
    look = channel._receive_messages
    monkeypatch.setattr(channel, "_receive_messages", lambda queue, **how: looks.append(queue) or look(queue, **how))
    with Consumer(channel, [queue], on_message=heard.append):
        with pytest.raises(TimeoutError):
            broker.drain_events(timeout=0.2)
        with connection.cursor() as cursor:  # one transaction, so that the listener is gone before the message is sent
            end = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE query LIKE %s"
            cursor.execute(end, [f"LISTEN%{name}%"])
            assert cursor.rowcount == 1
            cursor.execute("SELECT pgmq.send(%s, %s)", [name, '{"body": "e30=", "properties": {"delivery_tag": "1"}}'])

        def hears() -> bool:
            with suppress(TimeoutError, psycopg.OperationalError):
                broker.drain_events(timeout=1)
            return bool(heard)

        wait_for(hears, "what was put in meanwhile", 10)
        looks.clear()
        with pytest.raises(TimeoutError):
            broker.drain_events(timeout=0.5)
        assert len(looks) <= 2, "it listens again, and so need not poll"
    queue(channel).delete()


@pytest.mark.parametrize(("given", "port"), [(5433, "5433"), (None, "5432")])
def test_the_queues_are_in_the_database_that_a_broker_address_names(given: int | None, port: str) -> None:
    client = SimpleNamespace(
        transport_options={}, virtual_host="/night", hostname="db", port=given, userid="ada", password="a b"
    )
    named = {"host": "db", "port": port, "dbname": "night", "user": "ada", "password": "a b"}
    assert conninfo_to_dict(read_queue_address(client, 5432)) == named
