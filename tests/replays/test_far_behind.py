"""Who is far behind sees the newest frame ahead of the others, and then the others, none left out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from ftk_core.facts import PUBLIC
from ftk_core.reel import Reel
from replays.live.watchers import CHUNK
from tests.support.live import LiveMatch
from tests.support.served import Served, served
from tests.support.watching import read_to, watching

pytestmark = pytest.mark.django_db(transaction=True)
SMALL = 8192
"""So few bytes the kernel keeps for a socket that does not read."""


@pytest.fixture
def arena() -> Iterator[Served]:
    with served(send_buffer=SMALL) as running:
        yield running


@pytest.fixture
def sockets(arena: Served) -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def zones_at(match: LiveMatch, at: int) -> list[Any]:
    """Return the zones of a frame, as everybody may see them, from a fold of the test's own."""
    reel = Reel(PUBLIC)
    reel.extend(match.lines)
    (frame,) = reel.frames(range(at, at + 1), whole=True)
    zones: list[Any] = json.loads(frame)["zones"]
    return zones


@pytest.mark.slow
def test_who_reads_again_after_a_while_sees_the_newest_frame_first_and_then_all_it_missed(
    arena: Served, sockets: ExitStack
) -> None:
    match = LiveMatch("for_the_king", 5)
    match.grow(1)
    slow, alert = watching(sockets, arena, match, receive_buffer=SMALL), watching(sockets, arena, match)
    told = read_to(alert, 0)
    while match.left > 40:
        match.grow(40)
        told += read_to(alert, match.pictured[-1])
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
    assert (last, CHUNK) < (glimpsed[-1][0] + 1, last - glimpsed[-1][1]), glimpsed


def test_whoever_opens_a_long_live_match_sees_where_it_is_before_how_it_came_there(
    arena: Served, sockets: ExitStack
) -> None:
    match = LiveMatch("for_the_king", 5)
    match.grow(len(match.lines) - 40)
    messages = watching(sockets, arena, match).messages()
    first, second = next(messages), next(messages)
    assert [frame["at"] for frame in first["frames"]] == [0]
    assert (second["frames"], second["glimpse"]["at"]) == ([], match.pictured[-1])
