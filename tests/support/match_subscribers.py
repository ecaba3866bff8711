"""WebSockets that subscribe to a match on a real server."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from tests.support.live import LiveMatch
from tests.support.served import WebServer
from tests.support.sockets import RawSocket


def subscribe(sockets: ExitStack, arena: WebServer, match: LiveMatch, **wanted: Any) -> RawSocket:
    watcher = RawSocket(arena.port, match.path, receive_buffer=wanted.pop("receive_buffer", None))
    sockets.callback(watcher.close)
    watcher.watch(**wanted)
    return watcher


def read_entries_to(watcher: RawSocket, at: int) -> list[int]:
    """Return the numbers of the frames that a subscriber receives, up to the message with frame `at` or a later one."""
    told: list[int] = []
    for message in watcher.messages():
        told += [frame["at"] for frame in message["frames"]]
        if told and told[-1] >= at:
            return told
    raise AssertionError(f"closed before entry {at}")
