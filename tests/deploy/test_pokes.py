"""The poke layer: what one process says, every process that listens hears, also after the connection broke."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from typing import Any

import psycopg
import pytest
from django.conf import settings

from deploy.database import conninfo_of, django_database
from deploy.pokes import PokeLayer

SPEAKER = """
import asyncio, sys
from deploy.pokes import PokeLayer
asyncio.run(PokeLayer(sys.argv[1]).group_send(sys.argv[2], {"type": "poke", "length": 231}))
"""
PATIENCE = 10.0
ONE, TWO = f"match.1-{os.getpid()}", f"match.2-{os.getpid()}"
"""Groups of this process's own: other tests poke in the same database."""


@pytest.fixture
def conninfo() -> str:
    name = f"pokes-{os.getpid()}"
    return f"{conninfo_of(django_database(settings.DATABASE_URL))} application_name={name}"


def break_connections(conninfo: str) -> None:
    """End every connection of this test process but the one that does it."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            " AND application_name = current_setting('application_name')"
        )


@pytest.fixture
def layer(conninfo: str) -> PokeLayer:
    return PokeLayer(conninfo)


async def heard(layer: PokeLayer, channel: str) -> dict[str, Any]:
    return await asyncio.wait_for(layer.receive(channel), PATIENCE)


async def test_another_process_is_heard(layer: PokeLayer, conninfo: str) -> None:
    channel = await layer.new_channel()
    await layer.group_add(ONE, channel)
    speaker = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SPEAKER, conninfo, ONE, env={**os.environ, "PYTHONPATH": os.getcwd()}
    )
    assert await heard(layer, channel) == {"type": "poke", "length": 231}
    assert await speaker.wait() == 0


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


async def test_a_broken_connection_is_made_again_and_everybody_is_poked(layer: PokeLayer, conninfo: str) -> None:
    channel = await layer.new_channel()
    await layer.group_add(ONE, channel)
    break_connections(conninfo)
    assert await heard(layer, channel) == {"type": "poke"}
    await layer.group_send(ONE, {"type": "poke", "length": 5})
    assert await heard(layer, channel) == {"type": "poke", "length": 5}


async def test_a_speaker_whose_connection_broke_speaks_on(layer: PokeLayer, conninfo: str) -> None:
    channel = await layer.new_channel()
    await layer.group_add(ONE, channel)
    await layer.group_send(ONE, {"type": "poke", "length": 1})
    await heard(layer, channel)
    break_connections(conninfo)
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


def test_a_poke_with_no_database_is_lost_without_harm(tmp_path: Any) -> None:
    layer = PokeLayer(f"host={tmp_path} dbname=none")
    asyncio.run(layer.group_send(ONE, {"type": "poke"}))


def test_speaking_from_many_event_loops_needs_one_connection(layer: PokeLayer, conninfo: str) -> None:
    for _ in range(3):
        asyncio.run(layer.group_send(ONE, {"type": "poke"}))
    done = subprocess.run(
        [sys.executable, "-c", SPEAKER, conninfo, ONE], check=False, env={**os.environ, "PYTHONPATH": "."}
    )
    assert done.returncode == 0
    assert len(layer._voice._connections) == 1
