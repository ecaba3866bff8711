"""The notification layers: a notification reaches every listening process, also after a broken connection."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import Any

import psycopg
import pytest
from channels.layers import channel_layers, get_channel_layer
from django.conf import settings
from redis import Redis

from deploy.config.database import conninfo_of, django_database
from deploy.messaging import channel_layer_listener
from deploy.messaging.postgres_channel_layer import PostgresChannelLayer
from deploy.messaging.redis_channel_layer import RedisChannelLayer
from tests.support.brokers import REDIS, RedisServer
from tests.support.channel_layers import replace_channel_layer

SPEAKER = """
import asyncio, sys
from deploy.messaging.postgres_channel_layer import PostgresChannelLayer
from deploy.messaging.redis_channel_layer import RedisChannelLayer
layer = {"PostgresChannelLayer": PostgresChannelLayer, "RedisChannelLayer": RedisChannelLayer}[sys.argv[1]](sys.argv[2])
asyncio.run(layer.group_send(sys.argv[3], {"type": "poke", "length": 231}))
"""
PATIENCE = 10.0
ONE, TWO = f"match.1-{os.getpid()}", f"match.2-{os.getpid()}"
"""Groups of this process only, because other test processes use the same database."""


class InDatabase:
    """Notifications over the tests' own PostgreSQL."""

    layer = PostgresChannelLayer
    nowhere = "host=/nowhere dbname=none"

    def __init__(self, folder: Path) -> None:
        # a name of its own, because connections of the previous test may still be closing
        self.address = f"{conninfo_of(django_database(settings.DATABASE_URL))} application_name=pokes-{token_hex(8)}"

    def breaks(self) -> None:
        """End every connection of this test process except the one that runs this."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                " AND application_name = current_setting('application_name')"
            )

    def connections(self) -> int:
        """Return the number of connections of this test process."""
        with psycopg.connect(self.address) as connection:
            count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = current_setting('application_name')"
            return int(connection.execute(count).fetchall()[0][0]) - 1

    def close(self) -> None:
        pass


class OverRedis:
    """Notifications over a Redis of the test's own."""

    layer = RedisChannelLayer
    nowhere = "redis://127.0.0.1:1/0"

    def __init__(self, folder: Path) -> None:
        self._server = RedisServer(folder / "redis")
        self.address = self._server.url

    def breaks(self) -> None:
        """End every connection except the one that runs this."""
        with Redis.from_url(self.address) as redis:
            for kind in ("pubsub", "normal"):
                redis.client_kill_filter(_type=kind, skipme=True)

    def connections(self) -> int:
        """Return the number of connections of this test process."""
        with Redis.from_url(self.address) as redis:
            return len(redis.client_list()) - 1

    def close(self) -> None:
        self._server.close()


@pytest.fixture(scope="module", params=[InDatabase, OverRedis] if REDIS else [InDatabase])
def line(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    line = request.param(tmp_path_factory.mktemp("line"))
    yield line
    line.close()


@pytest.fixture
def layer(line: Any) -> PostgresChannelLayer:
    made: PostgresChannelLayer = line.layer(line.address)
    return made


def speaker(line: Any, group: str) -> list[str]:
    """Return a process that notifies a group."""
    return [sys.executable, "-c", SPEAKER, line.layer.__name__, line.address, group]


async def heard(layer: PostgresChannelLayer, channel: str) -> dict[str, Any]:
    return await asyncio.wait_for(layer.receive(channel), PATIENCE)


@pytest.mark.slow
async def test_a_group_notification_from_another_process_arrives(layer: PostgresChannelLayer, line: Any) -> None:
    channel = await layer.new_channel()
    await layer.group_add(ONE, channel)
    other = await asyncio.create_subprocess_exec(*speaker(line, ONE), env={**os.environ, "PYTHONPATH": os.getcwd()})
    assert await heard(layer, channel) == {"type": "poke", "length": 231}
    assert await other.wait() == 0


async def test_a_notification_reaches_all_channels_of_its_group_only(layer: PostgresChannelLayer) -> None:
    first, second, other = [await layer.new_channel() for _ in range(3)]
    await layer.group_add(ONE, first)
    await layer.group_add(ONE, second)
    await layer.group_add(TWO, other)
    await layer.group_send(ONE, {"type": "poke", "length": 1})
    await layer.group_send(TWO, {"type": "poke", "length": 2})
    assert [(await heard(layer, channel))["length"] for channel in (first, second, other)] == [1, 1, 2]


async def test_a_channel_that_left_its_group_gets_no_notification(layer: PostgresChannelLayer) -> None:
    stays, leaves = await layer.new_channel(), await layer.new_channel()
    for channel in (stays, leaves):
        await layer.group_add(ONE, channel)
    await layer.group_discard(ONE, leaves)
    await layer.group_send(ONE, {"type": "poke"})
    await layer.send(leaves, {"type": "direct"})
    waiting = asyncio.create_task(heard(layer, leaves))
    assert await heard(layer, stays) == {"type": "poke"}
    await layer.send(leaves, {"type": "direct"})
    assert await waiting == {"type": "direct"}


async def test_the_connection_is_closed_if_the_last_channel_leaves_with_unread_notifications(
    layer: PostgresChannelLayer,
) -> None:
    reads, leaves = await layer.new_channel(), await layer.new_channel()
    for channel in (leaves, reads):
        await layer.group_add(ONE, channel)
    await layer.group_send(ONE, {"type": "poke"})
    await heard(layer, reads)
    for channel in (leaves, reads):
        await layer.group_discard(ONE, channel)
    others = asyncio.all_tasks() - {asyncio.current_task()}
    assert not others or not (await asyncio.wait(others, timeout=PATIENCE))[1]


@pytest.mark.slow
async def test_every_channel_is_notified_after_the_database_connection_is_restored(
    layer: PostgresChannelLayer, line: Any
) -> None:
    channel = await layer.new_channel()
    await layer.group_add(ONE, channel)
    line.breaks()
    assert await heard(layer, channel) == {"type": "poke"}
    await layer.group_send(ONE, {"type": "poke", "length": 5})
    assert await heard(layer, channel) == {"type": "poke", "length": 5}


async def test_channels_added_before_the_database_is_connected_are_notified_once_it_is_connected(
    layer: PostgresChannelLayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_layer_listener, "LISTEN_SECONDS", 0.0)
    channel = await layer.new_channel()
    await layer.group_add(ONE, channel)
    async with asyncio.timeout(PATIENCE):
        assert await layer.receive(channel) == {"type": "poke"}


@pytest.mark.slow
async def test_subscribers_receive_notifications_again_after_the_database_connection_broke(
    layer: PostgresChannelLayer, line: Any
) -> None:
    channel = await layer.new_channel()
    await layer.group_add(ONE, channel)
    await layer.group_send(ONE, {"type": "poke", "length": 1})
    await heard(layer, channel)
    line.breaks()
    assert await heard(layer, channel) == {"type": "poke"}
    await layer.group_send(ONE, {"type": "poke", "length": 2})
    assert await heard(layer, channel) == {"type": "poke", "length": 2}


async def test_an_unread_channel_keeps_its_first_100_messages_and_delays_no_other_channel(
    layer: PostgresChannelLayer,
) -> None:
    deaf, alert = await layer.new_channel(), await layer.new_channel()
    await layer.group_add(f"flood-{os.getpid()}", deaf)
    await layer.group_add(f"calm-{os.getpid()}", alert)
    for number in range(150):
        await layer.group_send(f"flood-{os.getpid()}", {"type": "poke", "length": number})
    await layer.group_send(f"calm-{os.getpid()}", {"type": "poke", "length": 1})
    assert await heard(layer, alert) == {"type": "poke", "length": 1}
    assert [(await heard(layer, deaf))["length"] for _ in range(100)] == list(range(100))
    await layer.group_send(f"flood-{os.getpid()}", {"type": "poke", "length": 150})
    assert (await heard(layer, deaf))["length"] == 150, "the messages after the first 100 were dropped"


async def test_a_notification_with_a_too_large_payload_is_refused(layer: PostgresChannelLayer) -> None:
    with pytest.raises(ValueError, match="at most 7999 bytes"):
        await layer.group_send(ONE, {"type": "poke", "data": "x" * 8000})


def test_a_notification_without_a_database_is_dropped_without_an_error(line: Any) -> None:
    asyncio.run(line.layer(line.nowhere).group_send(ONE, {"type": "poke"}))


@pytest.mark.slow
def test_senders_in_many_event_loops_share_one_connection(layer: PostgresChannelLayer, line: Any) -> None:
    before = line.connections()
    for _ in range(3):
        asyncio.run(layer.group_send(ONE, {"type": "poke"}))
    assert line.connections() == before + 1
    done = subprocess.run(speaker(line, ONE), check=False, env={**os.environ, "PYTHONPATH": "."})
    assert done.returncode == 0


def test_after_a_test_layer_is_removed_the_channel_layer_of_the_settings_is_used_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(channel_layers, "backends", {})
    other = object()
    with replace_channel_layer(other):
        assert get_channel_layer() is other
    assert type(get_channel_layer()).__module__.startswith("deploy.messaging.")
