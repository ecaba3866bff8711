"""Load test that finds the largest number of WebSocket subscribers of a server."""

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
ENTRIES = 15
"""Number of log entries that are published to measure the delay with one number of subscribers."""
LIMIT_SECONDS = 0.1
"""Maximum time until 99 in 100 subscribers have received an entry."""
FACTOR = 1.5
CLOSE = 0.15
"""Relative precision of the search for the largest number of subscribers: 0.15 means 15 %."""
TRIES = 3
"""Number of measurements that must fail before a number of subscribers counts as too large.

A single failure may have another cause.
"""
SILENCE_SECONDS, LONGEST_BACKLOG_SECONDS = 0.2, 20.0
"""Before a measurement, no message must have arrived for so long, and the maximum time to wait for that."""
MOST_MEASUREMENTS = 38
"""Maximum number of measurements for one server; the match of the load test has entries for 39."""
NEVER = float("inf")
OTHER_FILES = 512
"""Number of open files and ports reserved for everything except the connections of subscribers."""
Tell = Callable[[], int]
"""Function that publishes the next log entry and returns its number."""


def connection_limit() -> int:
    """Raise the limit of open files. Return the maximum number of connections to one server."""
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    lowest, highest = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    return min(files, highest - lowest + 1) - OTHER_FILES


def parse_entry_number(frame: bytes) -> int:
    """Return the number of the first log entry in a WebSocket message."""
    start = frame.find(b'"at":') + 5
    return int(frame[start : frame.index(b",", start)])


class LoadTestConnections:
    """Set of WebSocket connections for a load test, which records when each log entry arrives at each connection."""

    def __init__(self, dial: Callable[[], RawSocket]) -> None:
        self.dial = dial
        self._poll = select.epoll()
        self._sockets: dict[int, RawSocket] = {}
        self._said: dict[int, float] = {}
        self._heard: list[tuple[int, float]] = []

    def grow(self, size: int) -> None:
        """Open connections until there are `size` of them."""
        while len(self._sockets) < size:
            watcher = self.dial()
            watcher.socket.settimeout(0)
            self._sockets[watcher.socket.fileno()] = watcher
            self._poll.register(watcher.socket, select.EPOLLIN)
            if len(self._sockets) % 50 == 0:
                self._listen(0)
        self._listen(0.3)

    def resize(self, size: int) -> None:
        """Open connections, or close the newest ones, until there are `size` of them."""
        while len(self._sockets) > size:
            descriptor, watcher = self._sockets.popitem()
            self._poll.unregister(descriptor)
            watcher.close()
        self.grow(size)

    def close(self) -> None:
        """Close all connections."""
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
                self._heard.append((parse_entry_number(body), now))

    def _wait_for_silence(self) -> None:
        """Receive what an overloaded server has not sent yet. Raises AssertionError if it does not end."""
        end = time.monotonic() + LONGEST_BACKLOG_SECONDS
        arrived = -1
        while arrived != len(self._heard):
            assert time.monotonic() < end, f"messages still arrive after {LONGEST_BACKLOG_SECONDS} s"
            arrived = len(self._heard)
            self._listen(SILENCE_SECONDS)

    def measure_delivery_delay(self, tell: Tell) -> float:
        """Publish entries at a fixed rate. Return the 99th percentile of the delivery times in seconds."""
        self._wait_for_silence()
        self._heard = []
        started = time.monotonic()

        def say() -> None:
            for number in range(ENTRIES):
                until(started + number / ENTRIES_A_SECOND)
                said = time.monotonic()
                self._said[tell()] = said
            connections.close_all()  # the database connections of this thread

        publisher = Thread(target=say)
        publisher.start()
        self._listen(ENTRIES / ENTRIES_A_SECOND)
        publisher.join()
        wanted, patience = ENTRIES * len(self._sockets), time.monotonic() + 1
        while len(self._heard) < wanted and time.monotonic() < patience:
            self._listen(0.05)
        seconds = [now - self._said[at] for at, now in self._heard]
        times = sorted([*seconds, *[NEVER] * (wanted - len(seconds))])
        return times[int(0.99 * len(times))]


def find_largest_crowd(crowd: LoadTestConnections, tell: Tell, first: int) -> int:
    """Return the largest number of subscribers that receive 99 % of all messages within `LIMIT_SECONDS`.

    The result is exact to 15 %, and at most `connection_limit()`. The search begins at `first` subscribers. Raises
    AssertionError if `MOST_MEASUREMENTS` measurements do not suffice.
    """
    # A number of subscribers passes if one of `TRIES` measurements is below the limit.
    measured = 0

    def holds(size: int) -> bool:
        nonlocal measured
        crowd.resize(size)
        for _ in range(TRIES):
            measured += 1
            assert measured <= MOST_MEASUREMENTS, f"no result after {MOST_MEASUREMENTS} measurements, at {size}"
            delay = crowd.measure_delivery_delay(tell)
            if delay < LIMIT_SECONDS or delay == NEVER:
                return delay < LIMIT_SECONDS
        return False

    def search(held: int, size: int) -> int:
        while size > held and holds(size):
            held, size = size, min(most, int(size * FACTOR))
        while size - held > max(1, CLOSE * held):
            middle = (held + size) // 2
            held, size = (middle, size) if holds(middle) else (held, middle)
        return held

    most = connection_limit()
    held = search(0, min(first, most))
    return search(held, min(most, int(held * (1 + CLOSE)) + 1))  # a disturbance may have ended the first search early
