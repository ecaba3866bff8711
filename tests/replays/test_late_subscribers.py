"""Subscribers far behind: they get the newest frame first, then all missed frames."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from ftk_core.facts import PUBLIC
from ftk_core.match_replay_frames import MatchFrames
from replays.live.spectator_sockets import MAX_FRAMES_PER_MESSAGE
from tests.support.live import LiveMatch
from tests.support.match_subscribers import read_entries_to, subscribe
from tests.support.served import WebServer, serve

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
SMALL = 8192
"""Bytes that the kernel buffers for a socket that does not read."""


@pytest.fixture
def arena() -> Iterator[WebServer]:
    with serve(send_buffer=SMALL) as running:
        yield running


@pytest.fixture
def sockets(arena: WebServer) -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def zones_at(match: LiveMatch, at: int) -> list[Any]:
    """Return the public zones of a frame, folded by the test itself."""
    reel = MatchFrames(PUBLIC)
    reel.extend(match.lines)
    (frame,) = reel.frames(range(at, at + 1), whole=True)
    zones: list[Any] = json.loads(frame)["zones"]
    return zones


def test_a_reconnecting_subscriber_gets_the_newest_frame_first_and_then_the_missed_frames(
    arena: WebServer, sockets: ExitStack
) -> None:
    match = LiveMatch("for_the_king", 5)
    match.grow(1)
    slow, alert = subscribe(sockets, arena, match, receive_buffer=SMALL), subscribe(sockets, arena, match)
    told = read_entries_to(alert, 0)
    while match.left > 40:
        match.grow(40)
        told += read_entries_to(alert, match.pictured[-1])
    messages, last = slow.messages(), match.pictured[-1]
    shown: list[int] = []
    glimpsed: list[tuple[int, int]] = []
    while not shown or shown[-1] < last:
        message = next(messages)
        shown += [frame["at"] for frame in message["frames"]]
        if "glimpse" in message:
            glimpsed.append((message["glimpse"]["at"], shown[-1]))
            assert message["glimpse"]["zones"] == zones_at(match, message["glimpse"]["at"])
    assert shown == told == match.pictured
    assert (last, MAX_FRAMES_PER_MESSAGE) < (glimpsed[-1][0] + 1, last - glimpsed[-1][1]), glimpsed


def test_a_new_subscriber_of_a_long_match_gets_the_newest_frame_first(arena: WebServer, sockets: ExitStack) -> None:
    match = LiveMatch("for_the_king", 5)
    match.grow(len(match.lines) - 40)
    messages = subscribe(sockets, arena, match).messages()
    first, second = next(messages), next(messages)
    assert [frame["at"] for frame in first["frames"]] == [0]
    assert (second["frames"], second["glimpse"]["at"]) == ([], match.pictured[-1])
