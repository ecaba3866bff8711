"""Fan-out over real sockets: the same bytes for all subscribers, and no waiting for slow ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from ftk_core.match_replay_frames import MatchFrames
from replays import metrics, replay_frame_cache
from replays.live import spectator_consumer
from replays.live.spectator_consumer import TOO_MANY
from tests.support.live import LiveMatch
from tests.support.match_subscribers import read_entries_to, subscribe
from tests.support.served import WebServer, serve
from tests.support.sockets import RawSocket
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = 8192
"""Bytes that the kernel buffers for a socket that does not read."""
ROOM = 65536
"""Bytes that the server buffers for such a socket, and one message."""


@pytest.fixture
def arena() -> Iterator[WebServer]:
    with serve(send_buffer=SMALL) as running:
        yield running


@pytest.fixture
def sockets(arena: WebServer) -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.slow
def test_a_slow_websocket_subscriber_does_not_delay_others_and_receives_all_frames_later(
    arena: WebServer, sockets: ExitStack
) -> None:
    match = LiveMatch("for_the_king", 5)
    match.grow(1)
    deaf = [subscribe(sockets, arena, match, receive_buffer=SMALL) for _ in range(3)]
    alert = [subscribe(sockets, arena, match) for _ in range(50)]
    told = [read_entries_to(watcher, 0) for watcher in alert]
    most = 0
    while match.left:
        match.grow(40)
        last = match.pictured[-1]
        for number, watcher in enumerate(alert):
            if told[number][-1] < last:
                told[number] += read_entries_to(watcher, last)
        most = max(most, *(held.transport.get_write_buffer_size() for held in arena.server.server_state.connections))
    assert told == [match.pictured] * 50
    assert most < 3 * ROOM
    assert [read_entries_to(watcher, last) for watcher in deaf] == [match.pictured] * 3


@pytest.mark.slow
def test_a_spectator_that_requests_frames_too_often_is_disconnected(
    arena: WebServer, sockets: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    burst = 20  # instead of 100, because the server answers each of them
    monkeypatch.setattr(spectator_consumer, "MAX_WATCH_BURST", burst)
    monkeypatch.setattr(spectator_consumer.SpectatorConsumer, "_allowance", float(burst))
    match = LiveMatch("pig")
    match.grow(3)
    watcher, other = (subscribe(sockets, arena, match) for _ in range(2))
    for _ in range(burst + 20):
        watcher.watch(after=-1, until=1)
    assert watcher.close_code() == TOO_MANY
    assert read_entries_to(other, match.pictured[-1])[-1] == match.pictured[-1]


@pytest.mark.slow
def test_every_frame_written_in_one_batch_counts_in_the_metric_of_sent_frames(
    arena: WebServer, sockets: ExitStack
) -> None:
    match = LiveMatch("pig")
    match.grow(3)
    watchers = [subscribe(sockets, arena, match) for _ in range(4)]
    before = sent_frames()
    for watcher in watchers:
        read_entries_to(watcher, match.pictured[-1])
    first = len(match.pictured)
    match.grow(10)
    for watcher in watchers:
        read_entries_to(watcher, match.pictured[-1])
    wait_for(lambda: sent_frames() - before >= 4 * (len(match.pictured) - first), "they are counted")
    assert sent_frames() - before <= 4 * len(match.pictured)


def sent_frames() -> float:
    """Return the number of frames that this process has sent."""
    (metric,) = metrics.FRAMES.collect()
    return next(sample.value for sample in metric.samples if sample.name.endswith("_total"))


@pytest.mark.slow
def test_subscribers_with_the_same_viewpoint_share_one_computation_of_frames(
    arena: WebServer, sockets: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[MatchFrames] = []

    class Counted(MatchFrames):
        def __init__(self, *wanted: Any) -> None:
            super().__init__(*wanted)
            made.append(self)

    monkeypatch.setattr(replay_frame_cache, "MatchFrames", Counted)
    monkeypatch.setattr(replay_frame_cache, "MAX_REELS", 0)  # cache no frames except for subscribers
    match = LiveMatch("pig")
    match.grow(3)
    watchers = [subscribe(sockets, arena, match) for _ in range(8)]
    told = [read_entries_to(watcher, match.pictured[-1]) for watcher in watchers]
    match.grow(10)
    last = match.pictured[-1]
    assert [first + read_entries_to(watcher, last) for first, watcher in zip(told, watchers, strict=True)] == [
        match.pictured
    ] * 8
    assert len([reel for reel in made if reel.entries == match.log.length]) == 1


def test_all_websocket_subscribers_get_the_same_bytes_encoded_once(
    arena: WebServer, sockets: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deploy.http.websocket_protocol import PreencodedFrameWebSocketProtocol

    framed: list[bytes] = []
    write = PreencodedFrameWebSocketProtocol.write_framed
    monkeypatch.setattr(
        PreencodedFrameWebSocketProtocol, "write_framed", lambda self, told: framed.append(told) or write(self, told)
    )
    match = LiveMatch("to_court_the_king", 3)
    match.grow(5)
    watchers = [subscribe(sockets, arena, match) for _ in range(5)]
    for watcher in watchers:
        read_entries_to(watcher, match.pictured[-1])
    match.grow(30)
    ((_, body),) = {next(watcher.frames()) for watcher in watchers}
    assert len(framed) == len(watchers)
    assert len({id(told) for told in framed}) == 1
    assert framed[0].endswith(body)


def test_frames_of_a_live_match_are_sent_by_polling_if_a_notification_is_lost(
    arena: WebServer, sockets: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.live.broadcast_groups.POLL_SECONDS", 0.1)
    match = LiveMatch("pig")
    match.grow(3)
    watcher = subscribe(sockets, arena, match)
    read_entries_to(watcher, match.pictured[-1])
    match.poker.last = lambda length: None  # type: ignore[method-assign]  # nobody says that it grew
    match.grow(10)
    assert read_entries_to(watcher, match.pictured[-1])


def test_an_unreadable_log_closes_only_the_websockets_of_its_own_subscribers_with_a_code(
    arena: WebServer, sockets: ExitStack
) -> None:
    spoilt, sound = LiveMatch("pig"), LiveMatch("pig")
    for match in (spoilt, sound):
        match.grow(3)
    watchers = [subscribe(sockets, arena, spoilt) for _ in range(2)]
    elsewhere = subscribe(sockets, arena, sound)
    for watcher in (*watchers, elsewhere):
        read_entries_to(watcher, spoilt.pictured[-1])
    spoilt.log.append([b'{"kind":"nonsense"}\n'], spoilt.log.length)
    spoilt.poker.last(spoilt.log.length)
    assert [watcher.close_code() for watcher in watchers] == [4500, 4500]
    sound.grow(10)
    assert read_entries_to(elsewhere, sound.pictured[-1])


def test_a_disconnected_subscriber_is_removed(arena: WebServer, sockets: ExitStack) -> None:
    from replays.live.broadcast_groups import _groups

    match = LiveMatch("pig")
    match.grow(3)
    for _ in range(3):
        subscribe(sockets, arena, match)
    deaf = subscribe(sockets, arena, match, receive_buffer=SMALL)
    read_entries_to(deaf, 0)
    halls = lambda: [hall for row in _groups.values() for hall in row.values()]  # noqa: E731 - looked at twice
    assert len(halls()) == 1
    sockets.close()
    wait_for(lambda: not halls(), "the hall is closed behind the last")


INVALID_MESSAGES = {
    "malformed": (b"hello", 1, 4400),
    "no object": (b"[]", 1, 4400),
    "a value of the wrong type": (b'{"type":"watch","eyes":7}', 1, 4400),
    "an unknown type": (b'{"type":"x"}', 1, 4400),
    "an unknown key": (b'{"type":"watch","at":1}', 1, 4400),
    "oversized": (b"x" * 1025, 1, 4400),
    "huge": (b"x" * 70_000, 1, 1009),
    "binary": (b"{}", 2, 4400),
    "not UTF-8": (b"\xff\xfe", 1, 1007),
}
"""Messages with their opcode and the expected close code."""


@pytest.mark.slow
def test_an_invalid_message_closes_the_websocket_with_a_code(arena: WebServer, sockets: ExitStack) -> None:
    match = LiveMatch("pig")
    match.grow(3)
    for name, (body, opcode, code) in INVALID_MESSAGES.items():
        watcher = subscribe(sockets, arena, match)
        watcher.send(body, opcode)
        assert watcher.close_code() == code, name


def test_a_websocket_request_for_frames_beyond_the_end_of_the_match_causes_no_error(
    arena: WebServer, sockets: ExitStack
) -> None:
    match = LiveMatch("pig")
    match.grow(3)
    watcher = subscribe(sockets, arena, match, after=10**30)
    first = next(watcher.messages())
    assert (first["frames"], first["length"], first["open"]) == ([], len(match.pictured), True)
    watcher.watch(after=-(10**30), until=10**30)
    assert json.dumps(next(watcher.messages())["frames"]).count('"at"') == 1


def test_a_websocket_whose_match_is_deleted_is_closed_at_its_next_request(arena: WebServer, sockets: ExitStack) -> None:
    match = LiveMatch("pig")
    match.grow(3)
    watcher = subscribe(sockets, arena, match)
    next(watcher.messages())
    match.match.delete()
    watcher.watch(after=0)
    assert watcher.close_code() == 4404


def test_a_websocket_is_closed_for_an_unknown_match_and_refused_on_an_unknown_path(
    arena: WebServer, sockets: ExitStack
) -> None:
    watcher = RawSocket(arena.port, "/ws/match/nomatch/")
    sockets.callback(watcher.close)
    assert watcher.close_code() == 4404
    for path in ("/ws/nothing/", "/", "/ws/match/%00/"):
        with pytest.raises(AssertionError, match="403 Forbidden"):
            RawSocket(arena.port, path)
