"""Redis outages: task messages and notifications are neither lost for ever nor block their senders."""

from __future__ import annotations

import asyncio
from contextlib import closing

import pytest
from kombu import Connection, Consumer, Exchange, Message, Producer, Queue
from kombu.transport import resolve_transport
from redis import Redis
from redis.exceptions import ConnectionError as RedisAway

from deploy.messaging.broker import REDIS, transport_options
from deploy.messaging.redis_channel_layer import RedisChannelLayer
from deploy.messaging.transports import install_transports, make_transport
from replays.live import broadcast_groups
from tests.support.arena import STARTED
from tests.support.brokers import RedisServer
from tests.support.channel_layers import replace_channel_layer
from tests.support.live import LiveMatch
from tests.support.served import serve
from tests.support.sockets import RawSocket


@pytest.mark.parametrize("answer", ["ack", "reject", "requeue"])
def test_a_failed_acknowledgement_to_redis_frees_the_prefetch_slot(pokes: RedisServer, answer: str) -> None:
    queue, heard = Queue("tasks", Exchange("tasks"), routing_key="tasks"), list[Message]()
    options = transport_options(pokes.url, "")
    with Connection(pokes.url, transport=make_transport(REDIS.transport), transport_options=options) as connection:
        channel = connection.channel()
        with Consumer(channel, [queue], on_message=heard.append, prefetch_count=1):
            Producer(channel, queue.exchange, "tasks").publish({})
            connection.drain_events(timeout=STARTED)
            assert not channel.qos.can_consume()
            pokes.kill()
            with pytest.raises(RedisAway):
                getattr(heard[0], answer)()
            assert channel.qos.can_consume()


def test_kombu_resolves_redis_urls_to_the_transport_class_of_this_project() -> None:
    install_transports()
    assert {resolve_transport(scheme) for scheme in ("redis", "rediss")} == {make_transport(REDIS.transport)}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_subscriber_receives_new_notifications_after_a_redis_outage(
    pokes: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast_groups, "POLL_SECONDS", 3600.0)  # nothing polls for missed notifications
    live = LiveMatch()
    live.grow(live.to_next_fact())
    with (
        replace_channel_layer(RedisChannelLayer(pokes.url)),
        serve() as server,
        closing(RawSocket(server.port, live.path)) as socket,
    ):
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


@pytest.mark.slow
async def test_a_subscription_made_during_a_redis_outage_works_afterwards(pokes: RedisServer) -> None:
    layer = RedisChannelLayer(pokes.url)
    early, late = await layer.new_channel(), await layer.new_channel()
    await layer.group_add("early", early)
    pokes.kill()
    joining = asyncio.create_task(layer.group_add("late", late))
    await asyncio.to_thread(pokes.start)
    await joining
    assert await asyncio.wait_for(layer.receive(early), STARTED) == {"type": "poke"}
    await layer.group_send("late", {"type": "poke", "length": 3})
    assert await asyncio.wait_for(layer.receive(late), STARTED) == {"type": "poke", "length": 3}


@pytest.mark.slow
async def test_a_subscription_on_a_broken_redis_connection_opens_no_second_connection(pokes: RedisServer) -> None:
    layer = RedisChannelLayer(pokes.url)
    early, late = await layer.new_channel(), await layer.new_channel()
    await layer.group_add("early", early)
    pokes.kill()
    pokes.start()  # the event loop has not yet seen that the connection broke
    await layer.group_add("late", late)
    assert await asyncio.wait_for(layer.receive(early), STARTED) == {"type": "poke"}
    await layer.group_send("late", {"type": "poke", "length": 3})
    assert await asyncio.wait_for(layer.receive(late), STARTED) == {"type": "poke", "length": 3}
    with closing(Redis.from_url(pokes.url)) as redis:
        listening = [client for client in redis.client_list() if int(client["sub"])]
    assert len(listening) == 1
