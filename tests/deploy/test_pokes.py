"""The poke layers: what one process says, every process that listens hears, also after the connection broke."""

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
from django.conf import settings
from redis import Redis

from deploy.database import conninfo_of, django_database
from deploy.messaging import listener
from deploy.messaging.pokes import PokeLayer
from deploy.messaging.redis_pokes import RedisPokeLayer
from tests.support.brokers import REDIS, RedisServer

SPEAKER = """
import asyncio, sys
from deploy.messaging.pokes import PokeLayer
from deploy.messaging.redis_pokes import RedisPokeLayer
layer = {"PokeLayer": PokeLayer, "RedisPokeLayer": RedisPokeLayer}[sys.argv[1]](sys.argv[2])
asyncio.run(layer.group_send(sys.argv[3], {"type": "poke", "length": 231}))
"""
PATIENCE = 10.0
ONE, TWO = f"match.1-{os.getpid()}", f"match.2-{os.getpid()}"
"""Groups of this process's own: other tests poke in the same database."""


class InDatabase:
    """Pokes over the tests' own PostgreSQL."""

    layer = PokeLayer
    nowhere = "host=/nowhere dbname=none"

    def __init__(self, folder: Path) -> None:
        # a name of its own: what the test before has left may be closing still
        self.address = f"{conninfo_of(django_database(settings.DATABASE_URL))} application_name=pokes-{token_hex(8)}"

    def breaks(self) -> None:
        """End every connection of this test process but the one that does it."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                " AND application_name = current_setting('application_name')"
            )

    def connections(self) -> int:
        """Return how many this test process has."""
        with psycopg.connect(self.address) as connection:
            count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = current_setting('application_name')"
            return int(connection.execute(count).fetchall()[0][0]) - 1

    def close(self) -> None:
        pass


class OverRedis:
    """Pokes over a Redis of the test's own."""

    layer = RedisPokeLayer
    nowhere = "redis://127.0.0.1:1/0"

    def __init__(self, folder: Path) -> None:
        self._server = RedisServer(folder / "redis")
        self.address = self._server.url

    def breaks(self) -> None:
        """End every connection but the one that does it."""
        with Redis.from_url(self.address) as redis:
            for kind in ("pubsub", "normal"):
                redis.client_kill_filter(_type=kind, skipme=True)

    def connections(self) -> int:
        """Return how many this test process has."""
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
def layer(line: Any) -> PokeLayer:
    made: PokeLayer = line.layer(line.address)
    return made


def speaker(line: Any, group: str) -> list[str]:
    """Return what pokes a group from another process."""
    return [sys.executable, "-c", SPEAKER, line.layer.__name__, line.address, group]


async def heard(layer: PokeLayer, channel: str) -> dict[str, Any]:
    return await asyncio.wait_for(layer.receive(channel), PATIENCE)


@pytest.mark.slow
async def test_another_process_is_heard(layer: PokeLayer, line: Any) -> None:
    channel = await layer.new_channel()
    await layer.group_add(ONE, channel)
    other = await asyncio.create_subprocess_exec(*speaker(line, ONE), env={**os.environ, "PYTHONPATH": os.getcwd()})
    assert await heard(layer, channel) == {"type": "poke", "length": 231}
    assert await other.wait() == 0


async def test_all_of_a_group_and_nobody_else_is_poked(layer: PokeLayer) -> None:
    first, second, other = [await layer.new_channel() for _ in range(3)]
    await layer.group_add(ONE, first)
    await layer.group_add(ONE, second)
    await layer.group_add(TWO, other)
    await layer.group_send(ONE, {"type": "poke", "length": 1})
    await layer.group_send(TWO, {"type": "poke", "length": 2})
    assert [(await heard(layer, channel))["length"] for channel in (first, second, other)] == [1, 1, 2]


async def test_who_left_hears_no_more(layer: PokeLayer) -> None:
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


async def test_a_broken_connection_is_made_again_and_everybody_is_poked(layer: PokeLayer, line: Any) -> None:
    channel = await layer.new_channel()
    await layer.group_add(ONE, channel)
    line.breaks()
    assert await heard(layer, channel) == {"type": "poke"}
    await layer.group_send(ONE, {"type": "poke", "length": 5})
    assert await heard(layer, channel) == {"type": "poke", "length": 5}


async def test_who_went_on_before_the_line_was_there_is_poked_when_it_is(
    layer: PokeLayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "LISTEN_SECONDS", 0.0)
    channel = await layer.new_channel()
    await layer.group_add(ONE, channel)
    async with asyncio.timeout(PATIENCE):
        assert await layer.receive(channel) == {"type": "poke"}


async def test_a_speaker_whose_connection_broke_speaks_on(layer: PokeLayer, line: Any) -> None:
    channel = await layer.new_channel()
    await layer.group_add(ONE, channel)
    await layer.group_send(ONE, {"type": "poke", "length": 1})
    await heard(layer, channel)
    line.breaks()
    assert await heard(layer, channel) == {"type": "poke"}
    await layer.group_send(ONE, {"type": "poke", "length": 2})
    assert await heard(layer, channel) == {"type": "poke", "length": 2}


async def test_a_flood_that_nobody_reads_is_cut_and_harms_nobody(layer: PokeLayer) -> None:
    deaf, alert = await layer.new_channel(), await layer.new_channel()
    await layer.group_add(f"flood-{os.getpid()}", deaf)
    await layer.group_add(f"calm-{os.getpid()}", alert)
    for number in range(150):
        await layer.group_send(f"flood-{os.getpid()}", {"type": "poke", "length": number})
    await layer.group_send(f"calm-{os.getpid()}", {"type": "poke", "length": 1})
    assert await heard(layer, alert) == {"type": "poke", "length": 1}
    assert [(await heard(layer, deaf))["length"] for _ in range(100)] == list(range(100))


async def test_a_poke_that_carries_too_much_is_refused(layer: PokeLayer) -> None:
    with pytest.raises(ValueError, match="at most 7999 bytes"):
        await layer.group_send(ONE, {"type": "poke", "data": "x" * 8000})


def test_a_poke_with_nobody_to_carry_it_is_lost_without_harm(line: Any) -> None:
    asyncio.run(line.layer(line.nowhere).group_send(ONE, {"type": "poke"}))


@pytest.mark.slow
def test_speaking_from_many_event_loops_needs_one_connection(layer: PokeLayer, line: Any) -> None:
    before = line.connections()
    for _ in range(3):
        asyncio.run(layer.group_send(ONE, {"type": "poke"}))
    assert line.connections() == before + 1
    done = subprocess.run(speaker(line, ONE), check=False, env={**os.environ, "PYTHONPATH": "."})
    assert done.returncode == 0
