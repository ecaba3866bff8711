"""Number of subscribers of one live match that one server process can serve, and the delay of a finished match."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from statistics import median

import pytest

from ftk_core.match_replay_frames import MatchFrames, encode_frames
from replays.live.spectator_sockets import MatchSubscriptionKey
from tests.support.arena import children_of, free_port
from tests.support.channel_layers import send_notifications_in_test_database
from tests.support.live import LiveMatch
from tests.support.processes import read_database_url
from tests.support.sockets import RawSocket
from tests.support.waiting import wait_for
from tools.bench.server_cpu_limiter import limit_processor_share
from tools.bench.websocket_load_test import LoadTestConnections, Tell, connection_limit, find_largest_crowd
from tools.bench.workload_speed_comparison import BenchmarkResult

ROUNDS = 3
MATCHES, SEEKS = 8, 50
GAME, SEATS = "for_the_king", 5
SHARE = 0.1
"""Share of a core for each of two web processes under comparison. With more, the clients would be the bottleneck."""

OPEN_TO_ALL = {f"FTK_GATE_{word}": "100000" for word in ("SOCKETS_EACH", "CONNECTIONS_EACH", "CONNECTIONS")}
"""Rate limits that allow all subscribers to connect from one address."""


@contextmanager
def running(command: list[str], port: int) -> Iterator[subprocess.Popen[str]]:
    """Run a server until the block ends; yield once it listens on a port."""
    env = {**os.environ, "DATABASE_URL": read_database_url(), "PYTHONPATH": os.getcwd(), **OPEN_TO_ALL}
    server = subprocess.Popen([sys.executable, "-m", *command], stdin=subprocess.PIPE, text=True, env=env)
    try:
        wait_for(lambda: listens(port), "the server listens")
        yield server
    finally:
        server.kill()
        server.wait()
        assert server.stdin
        server.stdin.close()


def listens(port: int) -> bool:
    try:
        RawSocket(port, "/ws/match/none/").close()
    except (ConnectionError, AssertionError):
        return False
    return True


def ours_on(stack: ExitStack, workers: int = 1, share: float | None = None) -> int:
    """Start our web server like `manage.py up` and return its port; `share` limits its processor time."""
    port = free_port()
    command = ["deploy.web", "--port", str(port), "--workers", str(workers)]
    server = stack.enter_context(running(command, port))
    if share is not None:
        pids = [server.pid] if workers == 1 else children_of(server.pid)
        assert len(pids) == workers
        stack.enter_context(limit_processor_share(share, pids))
    return port


def ours(stack: ExitStack, workers: int = 1, share: float | None = None) -> tuple[LoadTestConnections, Tell]:
    """Yield a growing match in the database and our web server."""
    match = LiveMatch(GAME, SEATS)
    stack.enter_context(send_notifications_in_test_database())
    match.grow()
    port = ours_on(stack, workers, share)

    def dial() -> RawSocket:
        watcher = RawSocket(port, match.path)
        watcher.watch(after=match.pictured[-1])
        return watcher

    def tell() -> int:
        match.grow(match.to_next_fact())
        return match.pictured[-1]

    return LoadTestConnections(dial), tell


def another(name: str) -> Callable[[ExitStack], tuple[LoadTestConnections, Tell]]:
    """Return a function that starts another server, which receives the same messages as ours."""

    def begin(stack: ExitStack) -> tuple[LoadTestConnections, Tell]:
        port, texts = free_port(), iter(list(messages()))
        server = stack.enter_context(running(["tools.bench.baseline_websocket_servers", name, str(port)], port))

        def tell() -> int:
            at, text = next(texts)
            assert server.stdin
            server.stdin.write(text + "\n")
            server.stdin.flush()
            return at

        return LoadTestConnections(lambda: RawSocket(port, "/")), tell

    return begin


def messages() -> Iterator[tuple[int, str]]:
    """Yield the messages of a match to a subscriber, one entry each."""
    match = LiveMatch(GAME, SEATS)
    reel, view = MatchFrames(-1), MatchSubscriptionKey(match.match.pk, -1, "public", "en")
    reel.extend(match.lines)
    for index in reel.span(0):
        yield index, encode_frames(view.eyes, reel, range(index, index + 1))


def capacity(begin: Callable[[ExitStack], tuple[LoadTestConnections, Tell]], first: int) -> int:
    """Return the largest number of subscribers that one server serves in time; the search begins with `first`."""
    with ExitStack() as stack:
        crowd, tell = begin(stack)
        stack.callback(crowd.close)
        return find_largest_crowd(crowd, tell, first)


@pytest.mark.django_db(transaction=True)
def test_the_number_of_subscribers_of_one_web_process_is_compared_with_other_websocket_servers(
    figures: list[BenchmarkResult],
) -> None:
    servers = (ours, another("stock"), another("bare"), *(partial(ours, workers=n, share=SHARE) for n in (1, 2)))
    first = 1000, 60, 1000, 60, 60  # a search that begins far below its result takes longer
    rounds = [tuple(capacity(server, size) for server, size in zip(servers, first, strict=True))]
    while len(rounds) < ROUNDS:  # a search that begins near the last result needs a third of the time
        rounds.append(
            tuple(capacity(server, max(1, last * 3 // 4)) for server, last in zip(servers, rounds[-1], strict=True))
        )
    one, stock, bare, slow, two = zip(*rounds, strict=True)
    figures.append(compare_crowds("one web process", one, stock, "stock Channels, daphne", ">= 10"))
    figures.append(compare_crowds("one web process", one, bare, "bare websockets, uvloop", ">= 0.6"))
    each = f"with {SHARE:.0%} of a core"
    figures.append(compare_crowds(f"two web processes, each {each}", two, slow, f"one web process {each}", "~ 2"))


def compare_crowds(who: str, ours: Sequence[int], floor: Sequence[int], floor_name: str, aim: str) -> BenchmarkResult:
    """Compare the numbers of subscribers in neighbouring rounds; the name of the figure lists them."""
    ratios = [mine / max(1, theirs) for mine, theirs in zip(ours, floor, strict=True)]
    capped = "; the machine's limit was reached" if max(*ours, *floor) >= connection_limit() else ""
    rounds = ", ".join(f"{mine:,}/{theirs:,}" for mine, theirs in zip(ours, floor, strict=True))
    name = f"watchers of a live match, p99 < 100 ms, {who} ({rounds}{capped})"
    return BenchmarkResult(
        name, median(ours), median(floor), median(ratios), floor_name, aim, lowest=min(ratios), highest=max(ratios)
    )


def milliseconds(answered: Callable[[], object]) -> float:
    """Return the duration of a call in milliseconds."""
    started = time.perf_counter()
    answered()
    return 1000 * (time.perf_counter() - started)


def against(name: str, ours: list[float], floor: list[float], aim: str) -> BenchmarkResult:
    """Compare neighbouring measurements in milliseconds; the name of the figure contains the slowest of ours."""
    ratio = median(mine / theirs for mine, theirs in zip(ours, floor, strict=True))
    name = f"{name}, ms (slowest {max(ours):.0f})"
    return BenchmarkResult(name, median(ours), median(floor), ratio, "the same from bare websockets", aim)


@pytest.mark.django_db(transaction=True)
def test_the_time_to_open_and_to_seek_a_match_is_compared_with_bare_websockets(figures: list[BenchmarkResult]) -> None:
    with ExitStack() as stack:
        finished = [LiveMatch(GAME, SEATS) for _ in range(MATCHES)]
        for match in finished:
            match.grow(match.left)
        port = ours_on(stack)
        other, tell = another("bare")(stack)
        stack.callback(other.close)

        def first(match: LiveMatch) -> RawSocket:
            watcher = RawSocket(port, match.path)
            stack.callback(watcher.close)
            watcher.watch(until=1)
            next(watcher.frames())
            return watcher

        def first_of_other() -> RawSocket:
            watcher = other.dial()
            stack.callback(watcher.close)
            tell()
            next(watcher.frames())
            return watcher

        first(finished.pop())  # the first call also loads the rules
        opened = [(milliseconds(lambda match=match: first(match)), milliseconds(first_of_other)) for match in finished]
        watcher, echo = first(finished[0]), first_of_other()

        def seek(at: int) -> None:
            watcher.watch(after=at - 1, until=at + 1)
            next(watcher.frames())

        def seek_in_other() -> None:
            tell()
            next(echo.frames())

        spots = [number * 7919 % len(finished[0].lines) for number in range(SEEKS)]
        sought = [(milliseconds(lambda at=at: seek(at)), milliseconds(seek_in_other)) for at in spots]
    figures.append(against("first picture of a match that is over", *map(list, zip(*opened, strict=True)), "<= 300 ms"))
    figures.append(against("seek to any entry over a socket", *map(list, zip(*sought, strict=True)), "<= 50 ms"))
