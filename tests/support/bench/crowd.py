"""Watchers by the thousand in one process, and how many a server can tell in time."""

from __future__ import annotations

import resource
import select
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

from django.db import connections

from tests.support.sockets import PING, PONG, RawSocket
from tests.support.waiting import until

ENTRIES_A_SECOND = 10
ENTRIES = 25
"""As many entries are told in one try."""
LIMIT_SECONDS = 0.1
"""99 in 100 watchers of every entry must have it by then."""
FIRST, FACTOR = 60, 1.5
CLOSE = 0.1
"""So near each other are a crowd that is told in time and one that is not."""
TRIES = 3
"""A crowd is too large if the server fails it as often: the machine may have been busy once."""
NEVER = float("inf")
OTHER_FILES = 512
"""Files and ports that are left to everything but the crowd."""
Tell = Callable[[], int]
"""Makes the next entry known and returns its number."""


def machine_limit() -> int:
    """Return how many connections to one server this process can have: by open files, and by ports of one address."""
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    lowest, highest = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    return min(files, highest - lowest + 1) - OTHER_FILES


def entry_in(frame: bytes) -> int:
    """Return the number of the first entry in a message."""
    start = frame.find(b'"at":') + 5
    return int(frame[start : frame.index(b",", start)])


class Crowd:
    """Connections that only note when an entry reaches them."""

    def __init__(self, dial: Callable[[], RawSocket]) -> None:
        self.dial = dial
        self._poll = select.epoll()
        self._sockets: dict[int, RawSocket] = {}
        self._said: dict[int, float] = {}
        self._heard: list[tuple[int, float]] = []

    def grow(self, size: int) -> None:
        """Let as many watch."""
        while len(self._sockets) < size:
            watcher = self.dial()
            watcher.socket.settimeout(0)
            self._sockets[watcher.socket.fileno()] = watcher
            self._poll.register(watcher.socket, select.EPOLLIN)
            if len(self._sockets) % 50 == 0:
                self._listen(0)
        self._listen(0.3)

    def resize(self, size: int) -> None:
        """Let as many watch: more come, or the latest leave."""
        while len(self._sockets) > size:
            descriptor, watcher = self._sockets.popitem()
            self._poll.unregister(descriptor)
            watcher.close()
        self.grow(size)

    def close(self) -> None:
        """Let all go home."""
        for watcher in self._sockets.values():
            watcher.close()
        self._poll.close()

    def _listen(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while True:
            for descriptor, _ in self._poll.poll(0.01, 1024):
                self._hear(self._sockets[descriptor])
            if time.monotonic() >= end:
                return

    def _hear(self, watcher: RawSocket) -> None:
        chunk, now = watcher.socket.recv(65536), time.monotonic()
        assert chunk, "the server hung up"
        for kind, body in watcher.take(chunk):
            if kind == PING:
                watcher.send(body, PONG)
            elif body.find(b'"frames":[{') >= 0:
                self._heard.append((entry_in(body), now))

    def late(self, tell: Tell) -> float:
        """Tell some entries at their pace; return within how many seconds 99 in 100 of all receipts came."""
        self._heard = []
        started = time.monotonic()

        def say() -> None:
            for number in range(ENTRIES):
                until(started + number / ENTRIES_A_SECOND)
                said = time.monotonic()
                self._said[tell()] = said
            connections.close_all()  # this thread's own

        voice = Thread(target=say)
        voice.start()
        self._listen(ENTRIES / ENTRIES_A_SECOND)
        voice.join()
        wanted, patience = ENTRIES * len(self._sockets), time.monotonic() + 1
        while len(self._heard) < wanted and time.monotonic() < patience:
            self._listen(0.05)
        seconds = [now - self._said[at] for at, now in self._heard]
        times = sorted([*seconds, *[NEVER] * (wanted - len(seconds))])
        return times[int(0.99 * len(times))]


def largest(crowd: Crowd, tell: Tell, first: int = FIRST) -> int:
    """Return the largest crowd that is told in time, to within `CLOSE`: by steps up, then between the last two.

    No crowd is larger than `machine_limit`: a figure that reaches it is a lower bound.
    """

    def holds(size: int) -> bool:
        crowd.resize(size)
        return any(crowd.late(tell) < LIMIT_SECONDS for _ in range(TRIES))

    most = machine_limit()
    held, size = 0, min(first, most)
    while size > held and holds(size):
        held, size = size, min(most, int(size * FACTOR))
    low, high = held, size
    while high - low > max(1, CLOSE * low):
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
