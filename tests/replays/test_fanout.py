"""Fan-out over real sockets: the same bytes to all at once, and nobody waits for who does not read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from ftk_core.reel import Reel
from replays import meters, projector
from tests.support.live import LiveMatch
from tests.support.served import Served, served
from tests.support.sockets import RawSocket
from tests.support.waiting import wait_for
from tests.support.watching import read_to, watching

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = 8192
"""So few bytes the kernel keeps for a socket that does not read."""
ROOM = 65536
"""So many bytes the server keeps for such a one, and one message."""


@pytest.fixture
def arena() -> Iterator[Served]:
    with served(send_buffer=SMALL) as running:
        yield running


@pytest.fixture
def sockets(arena: Served) -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.slow
def test_who_never_reads_keeps_nobody_waiting_costs_no_memory_and_is_given_all_of_it_later(
    arena: Served, sockets: ExitStack
) -> None:
    match = LiveMatch("for_the_king", 5)
    match.grow(1)
    deaf = [watching(sockets, arena, match, receive_buffer=SMALL) for _ in range(3)]
    alert = [watching(sockets, arena, match) for _ in range(50)]
    told = [read_to(watcher, 0) for watcher in alert]
    most = 0
    while match.left:
        match.grow(40)
        last = match.pictured[-1]
        for number, watcher in enumerate(alert):
            if told[number][-1] < last:
                told[number] += read_to(watcher, last)
        most = max(most, *(held.transport.get_write_buffer_size() for held in arena.server.server_state.connections))
    assert told == [match.pictured] * 50
    assert most < 3 * ROOM
    assert [read_to(watcher, last) for watcher in deaf] == [match.pictured] * 3


def test_what_is_written_at_once_is_counted_as_what_is_sent(arena: Served, sockets: ExitStack) -> None:
    match = LiveMatch("pig")
    match.grow(3)
    watchers = [watching(sockets, arena, match) for _ in range(4)]
    before = sent_frames()
    for watcher in watchers:
        read_to(watcher, match.pictured[-1])
    first = len(match.pictured)
    match.grow(10)
    for watcher in watchers:
        read_to(watcher, match.pictured[-1])
    wait_for(lambda: sent_frames() - before >= 4 * (len(match.pictured) - first), "they are counted")
    assert sent_frames() - before <= 4 * len(match.pictured)


def sent_frames() -> float:
    """Return how many frames this process has sent."""
    (metric,) = meters.FRAMES.collect()
    return next(sample.value for sample in metric.samples if sample.name.endswith("_total"))


def test_a_match_is_folded_once_for_all_who_look_through_the_same_eyes(
    arena: Served, sockets: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Reel] = []

    class Counted(Reel):
        def __init__(self, *wanted: Any) -> None:
            super().__init__(*wanted)
            made.append(self)

    monkeypatch.setattr(projector, "Reel", Counted)
    monkeypatch.setattr(projector, "REELS", 0)  # not even kept, but for those who watch
    match = LiveMatch("pig")
    match.grow(3)
    watchers = [watching(sockets, arena, match) for _ in range(8)]
    told = [read_to(watcher, match.pictured[-1]) for watcher in watchers]
    match.grow(10)
    last = match.pictured[-1]
    assert [first + read_to(watcher, last) for first, watcher in zip(told, watchers, strict=True)] == [
        match.pictured
    ] * 8
    assert len([reel for reel in made if reel.entries == match.log.length]) == 1


def test_the_same_bytes_go_to_every_watcher_framed_once_for_all(
    arena: Served, sockets: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deploy.entrance.sockets import Socket

    framed: list[bytes] = []
    write = Socket.write_framed
    monkeypatch.setattr(Socket, "write_framed", lambda self, told: framed.append(told) or write(self, told))
    match = LiveMatch("to_court_the_king", 3)
    match.grow(5)
    watchers = [watching(sockets, arena, match) for _ in range(5)]
    for watcher in watchers:
        read_to(watcher, match.pictured[-1])
    match.grow(30)
    ((_, body),) = {next(watcher.frames()) for watcher in watchers}
    assert len(framed) == len(watchers)
    assert len({id(told) for told in framed}) == 1
    assert framed[0].endswith(body)


def test_a_lost_poke_is_made_up_for(arena: Served, sockets: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.live.halls.LOOK_SECONDS", 0.1)
    match = LiveMatch("pig")
    match.grow(3)
    watcher = watching(sockets, arena, match)
    read_to(watcher, match.pictured[-1])
    match.poker.last = lambda length: None  # type: ignore[method-assign]  # nobody says that it grew
    match.grow(10)
    assert read_to(watcher, match.pictured[-1])


def test_a_log_that_cannot_be_read_sends_its_watchers_out_with_a_code_and_nobody_else(
    arena: Served, sockets: ExitStack
) -> None:
    spoilt, sound = LiveMatch("pig"), LiveMatch("pig")
    for match in (spoilt, sound):
        match.grow(3)
    watchers = [watching(sockets, arena, spoilt) for _ in range(2)]
    elsewhere = watching(sockets, arena, sound)
    for watcher in (*watchers, elsewhere):
        read_to(watcher, spoilt.pictured[-1])
    spoilt.log.append([b'{"kind":"nonsense"}\n'], spoilt.log.length)
    spoilt.poker.last(spoilt.log.length)
    assert [watcher.close_code() for watcher in watchers] == [4500, 4500]
    sound.grow(10)
    assert read_to(elsewhere, sound.pictured[-1])


def test_who_hangs_up_is_forgotten(arena: Served, sockets: ExitStack) -> None:
    from replays.live.halls import _halls

    match = LiveMatch("pig")
    match.grow(3)
    for _ in range(3):
        watching(sockets, arena, match)
    deaf = watching(sockets, arena, match, receive_buffer=SMALL)
    read_to(deaf, 0)
    halls = lambda: [hall for row in _halls.values() for hall in row.values()]  # noqa: E731 - looked at twice
    assert len(halls()) == 1
    sockets.close()
    wait_for(lambda: not halls(), "the hall is closed behind the last")


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [(b"hello", 1, 4400), (b"x" * 1025, 1, 4400), (b"x" * 70_000, 1, 1009), (b"{}", 2, 4400), (b"\xff\xfe", 1, 1007)],
    ids=["malformed", "oversized", "huge", "binary", "not UTF-8"],
)
def test_a_message_that_is_none_closes_with_a_code(
    arena: Served, sockets: ExitStack, body: bytes, kind: int, code: int
) -> None:
    match = LiveMatch("pig")
    match.grow(3)
    watcher = watching(sockets, arena, match)
    watcher.send(body, kind)
    assert watcher.close_code() == code


def test_a_request_far_beyond_the_end_waits_for_the_end_and_harms_nobody(arena: Served, sockets: ExitStack) -> None:
    match = LiveMatch("pig")
    match.grow(3)
    watcher = watching(sockets, arena, match, after=10**30)
    first = next(watcher.messages())
    assert (first["frames"], first["length"], first["open"]) == ([], len(match.pictured), True)
    watcher.watch(after=-(10**30), until=10**30)
    assert json.dumps(next(watcher.messages())["frames"]).count('"at"') == 1


def test_an_unknown_match_closes_with_a_code_and_an_address_that_is_none_is_refused(
    arena: Served, sockets: ExitStack
) -> None:
    watcher = RawSocket(arena.port, "/ws/match/nomatch/")
    sockets.callback(watcher.close)
    assert watcher.close_code() == 4404
    for path in ("/ws/nothing/", "/", "/ws/match/%00/"):
        with pytest.raises(AssertionError, match="403 Forbidden"):
            RawSocket(arena.port, path)
