"""Past one machine: the same league over a PostgreSQL, a broker and a channel layer that are not our own.

Redis is tried always; RabbitMQ, which takes its time, with ``FTK_TEST_BROKERS=1``, as `make chaos` does.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from channels import DEFAULT_CHANNEL_LAYER
from channels.layers import channel_layers
from kombu import Connection, Consumer, Exchange, Message, Producer, Queue
from redis.exceptions import ConnectionError as RedisAway

from deploy.supervisor import embedded
from deploy.supervisor.processes import start, stop
from deploy.transports.bell import RedisTransport
from deploy.transports.broker import transport_options
from deploy.transports.redis_pokes import RedisPokeLayer
from replays.live import halls
from tests.support.arena import STARTED, Arena
from tests.support.brokers import RABBITMQ, Broker, RabbitServer, RedisServer
from tests.support.live import LiveMatch
from tests.support.prepared import Size, asked, copied, ended, entries, environment, outcome, prepared
from tests.support.served import served
from tests.support.sockets import RawSocket
from tests.support.waiting import wait_for

ALL = "FTK_TEST_BROKERS" in os.environ
SIZE = Size(bots=6, rounds=2, games=2, seconds=0.01) if ALL else Size(bots=4, rounds=1, games=2, seconds=0.005)
PLAYED = 120.0
PLAYERS = "SELECT DISTINCT split_part(holder, ':', 2)::int FROM replays_match"
"""The processes that played."""
PLAYING = "SELECT count(*) FROM replays_match WHERE status = 'playing'"
ATTEMPTS = "SELECT DISTINCT attempts FROM replays_match"
WORKER = ("worker", "-Q", "league,friendly", "-P", "prefork", "-c", "1", "--without-mingle", "--without-gossip")


@dataclass(frozen=True, slots=True)
class Case:
    """What happens to whom."""

    made_by: type[Broker]
    killed: bool
    """In the middle of the league, to come back empty."""

    def __str__(self) -> str:
        return f"{self.made_by.__name__}{' killed' * self.killed}"


SHORT = [Case(RedisServer, killed=True)]
LONG = [
    Case(made_by, killed) for made_by in (RedisServer, RabbitServer)[: 2 if RABBITMQ else 1] for killed in (False, True)
]
CASES = LONG if ALL else SHORT


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that waits for workers."""
    return prepared(tmp_path_factory.mktemp("league") / "var", SIZE)


@pytest.fixture(scope="module")
def expected(league: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """How it ends on one machine, with nothing but our own PostgreSQL."""
    calm = Arena(copied(league, tmp_path_factory.mktemp("calm") / "var"), FTK_METERED="0")
    try:
        wait_for(lambda: ended(calm), "the end of the calm league", PLAYED)
        return outcome(calm)
    finally:
        calm.process.kill()
        calm.process.wait()


@pytest.fixture
def broker(case: Case, tmp_path: Path) -> Iterator[Broker]:
    broker = case.made_by(tmp_path / "broker")
    yield broker
    broker.close()


@pytest.fixture
def pokes(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path / "pokes")
    yield server
    server.close()


class Site:
    """One league on three URLs: the machine with the web server, and as many more for workers as are wanted."""

    def __init__(self, var: Path, stack: ExitStack, broker: Broker, pokes: RedisServer) -> None:
        self._stack = stack
        self.server = embedded.start(var / "postgres")
        stack.callback(self.server.stop)
        self.urls = {
            "DATABASE_URL": self.server.url,
            "CELERY_BROKER_URL": broker.url,
            "CHANNEL_LAYER_URL": pokes.url,
            "FTK_METERED": "0",
        }
        self.arena = Arena(var, **self.urls)
        stack.callback(self._end)

    def add_machine(self, var: Path) -> int:
        """Let another machine play: a folder of its own, and nothing in common but the URLs."""
        command = [sys.executable, "-m", "celery", "--quiet", "-A", "deploy.celery:app", *WORKER, "-n", "other@%h"]
        worker = start(command, log=var / "worker.log", env=environment(var, **self.urls), folder=Path.cwd())
        self._stack.callback(stop, worker, [])
        return worker.pid

    def _end(self) -> None:
        self.arena.process.kill()
        self.arena.process.wait()


@pytest.fixture
def site(league: Path, tmp_path: Path, broker: Broker, pokes: RedisServer) -> Iterator[Site]:
    with ExitStack() as stack:
        yield Site(copied(league, tmp_path / "var"), stack, broker, pokes)


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_two_machines_play_a_league_that_ends_as_on_one(
    case: Case, site: Site, broker: Broker, expected: dict[str, Any], tmp_path: Path
) -> None:
    other = site.add_machine(tmp_path / "other")
    if case.killed:
        wait_for(lambda: entries(site.arena) > 20, "the middle of a match", PLAYED)
        broker.kill()
        wait_for(lambda: asked(site.arena, PLAYING) == [(0,)], "the end of what is being played", PLAYED)
        assert not ended(site.arena)
        broker.start()
    wait_for(lambda: ended(site.arena), f"the end of the league; {site.arena.said()}", PLAYED)
    assert outcome(site.arena) == expected
    assert asked(site.arena, ATTEMPTS) == [(1,)], "a match was cut off or played twice"
    if not case.killed:
        players, there = {pid for (pid,) in asked(site.arena, PLAYERS)}, set(children(other))
        assert players & there
        assert players - there


@pytest.mark.parametrize("answer", ["ack", "reject", "requeue"])
def test_a_task_that_redis_cannot_be_told_of_makes_room_for_the_next(pokes: RedisServer, answer: str) -> None:
    queue, heard = Queue("tasks", Exchange("tasks"), routing_key="tasks"), list[Message]()
    options = transport_options(pokes.url, "")
    with Connection(pokes.url, transport=RedisTransport, transport_options=options) as connection:
        channel = connection.channel()
        with Consumer(channel, [queue], on_message=heard.append, prefetch_count=1):
            Producer(channel, queue.exchange, "tasks").publish({})
            connection.drain_events(timeout=STARTED)
            assert not channel.qos.can_consume()
            pokes.kill()
            with pytest.raises(RedisAway):
                getattr(heard[0], answer)()
            assert channel.qos.can_consume()


@contextmanager
def poked_over(url: str) -> Iterator[None]:
    """Let this process speak and listen over a Redis."""
    before = channel_layers.set(DEFAULT_CHANNEL_LAYER, RedisPokeLayer(url))
    try:
        yield
    finally:
        channel_layers.set(DEFAULT_CHANNEL_LAYER, before)


@pytest.mark.django_db(transaction=True)
def test_a_watcher_hears_of_new_entries_and_again_when_redis_has_been_away(
    pokes: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(halls, "LOOK_SECONDS", 3600.0)  # nobody looks who was not poked
    live = LiveMatch()
    live.grow(live.to_next_fact())
    with poked_over(pokes.url), served() as server, closing(RawSocket(server.port, live.path)) as socket:
        socket.watch()
        messages = socket.messages()
        assert next(messages)["length"] == len(live.pictured)
        for _ in range(3):
            live.grow(live.to_next_fact())
            assert next(messages)["length"] == len(live.pictured)
        pokes.kill()
        live.grow(live.to_next_fact())
        pokes.start()
        assert next(messages)["length"] == len(live.pictured)


async def test_who_comes_while_redis_is_away_hears_it_when_it_is_back(pokes: RedisServer) -> None:
    layer = RedisPokeLayer(pokes.url)
    early, late = await layer.new_channel(), await layer.new_channel()
    await layer.group_add("early", early)
    pokes.kill()
    joining = asyncio.create_task(layer.group_add("late", late))
    await asyncio.to_thread(pokes.start)
    await joining
    assert await asyncio.wait_for(layer.receive(early), STARTED) == {"type": "poke"}
    await layer.group_send("late", {"type": "poke", "length": 3})
    assert await asyncio.wait_for(layer.receive(late), STARTED) == {"type": "poke", "length": 3}
