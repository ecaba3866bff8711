"""A Redis that goes and comes: what it is told of tasks and of pokes is neither lost for ever nor waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from channels import DEFAULT_CHANNEL_LAYER
from channels.layers import channel_layers
from kombu import Connection, Consumer, Exchange, Message, Producer, Queue
from redis.exceptions import ConnectionError as RedisAway

from deploy.messaging.broker import transport_options
from deploy.messaging.redis_pokes import RedisPokeLayer
from deploy.messaging.transports import RedisTransport
from replays.live import halls
from tests.support.arena import STARTED
from tests.support.brokers import RedisServer
from tests.support.live import LiveMatch
from tests.support.served import served
from tests.support.sockets import RawSocket


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
