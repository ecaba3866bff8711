"""Floods of requests: a league and the pages continue while a visitor sends ten thousand requests.

Collected only with ``FTK_TEST_FLOOD=1``, as `make chaos` sets it: it takes minutes, and needs an otherwise idle
machine. Everything stays on loopback, where each visitor has an address of its own.
"""

from __future__ import annotations

import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from deploy.supervisor import embedded_postgres
from tests.support.arena import STARTED, Arena
from tests.support.prepared_leagues import (
    LeagueSize,
    build_environment,
    copy_folder,
    is_league_closed,
    prepare_league,
    query_database,
)
from tests.support.waiting import wait_for

SIZE = LeagueSize(bots=4, rounds=2, games=3, seconds=0.01)
REQUESTS, SENDERS, HONEST = 10_000, 4, "127.0.9.9"
SLOWER, P99_SECONDS, DISK_MIB = 1.2, 0.3, 20
PLAYED, PAIRS = 300.0, 3
TOOK = "SELECT extract(epoch FROM max(closed_at) - min(opened_at))::float FROM replays_match"
PAGES = ("/", "/leagues/", "/leagues/night/", "/bots/", "/leaderboards/pig/", "/status/", "/api/v1/matches/?limit=20")
MIB = 1024 * 1024
SLOW = "import sys, time\nfor line in sys.stdin:\n    time.sleep(0.9)\n    print('{}', flush=True)\n"
TRIALS = """
import sys, django
django.setup()
from tests.support.factories import AuthorFactory, BotFactory, create_package
from bots.models import BotVersion
author, package = AuthorFactory.create(username="flood"), create_package(sys.argv[1])
for number in range(16):
    BotVersion.objects.create(bot=BotFactory.create(slug=f"flood{number}", owner=author), number=1, package=package)
"""


def get(path: str, *lines: str, method: str = "GET") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", *lines, "", ""]).encode()


KINDS = {
    "pages": get("/leagues/night/"),
    "cursors": get("/search/?after=WyIwMDAxLTAxLTAxIl0="),
    "limits": get("/api/v1/matches/?limit=" + "9" * 400),
    "nul": get("/bots/a%00b/"),
    "bodies": get("/sign-in/", f"Content-Length: {400 * MIB}", method="POST") + b"x" * 65536,
    "uploads": get("/api/v1/bots/uploads/", f"Content-Length: {400 * MIB}", method="POST") + b"x" * 65536,
    "guesses": get("/sign-in/", "Content-Length: 70", method="POST") + b"token=" + b"f" * 64,
    "tokens": get("/api/v1/matches/", "Authorization: Token \u00e9"),
    "heads": b"GET / HTTP/1.1\r\nX: " + b"y" * 40_000,
    "sockets": get("/ws/match/none/", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
}


def ask(port: int, request: bytes, whose: str) -> tuple[int, float]:
    """Return the status of the response (0 if the connection is closed), and the seconds until it was complete."""
    began, said = time.monotonic(), b""
    with closing(socket.create_connection(("127.0.0.1", port), 30, (whose, 0))) as door:
        with suppress(ConnectionError):
            door.sendall(request)
        with suppress(ConnectionError, TimeoutError):
            while piece := door.recv(65536):
                said = said or piece
    return int(said[9:12]) if said.startswith(b"HTTP/1.1 ") else 0, time.monotonic() - began


def flood(port: int, stop: Event) -> Counter[str]:
    """Send all kinds of requests in turn; return the number of responses by status."""
    answers, requests = Counter[str](), list(KINDS.items())

    def send(number: int) -> str:
        name, request = requests[number % len(requests)]
        return f"{name} {ask(port, request, f'127.0.1.{number % SENDERS + 1}')[0]}" if not stop.is_set() else "not sent"

    with ThreadPoolExecutor(SENDERS) as pool:
        answers.update(pool.map(send, range(REQUESTS)))
    return answers


def visit(port: int, stop: Event) -> list[float]:
    """Request pages like a reader; return the seconds that each took."""
    took = []
    while not stop.wait(0.1):
        page = PAGES[len(took) % len(PAGES)]
        code, seconds = ask(port, get(page), HONEST)
        assert (page, code) == (page, 200)
        took.append(seconds)
    return took


def size_of(folder: Path) -> int:
    """Return the number of bytes in a folder, without the database's write-ahead log, which it reuses."""
    files = (path for path in folder.rglob("*") if "pg_wal" not in path.parts)
    total = 0
    for path in files:
        with suppress(FileNotFoundError):
            total += path.stat().st_size if path.is_file() else 0
    return total


Played = tuple[float, int, Counter[str], list[float]]
"""Seconds of the league, bytes in its folder, responses to the flood, and seconds that each page took."""


def played(var: Path, *, flooded: bool) -> Played:
    """Return the seconds of the league, the bytes written, the responses, and their times."""
    # without the answer grid, on which a slightly late decision may cost four times as much
    arena, stop = Arena(var, "--workers", "1", BOT_ANSWER_GRID="0").wait_until_open(), Event()
    answers, took = Counter[str](), list[float]()
    try:
        assert [ask(arena.port, get(page), HONEST)[0] for page in PAGES] == [200] * len(PAGES)  # compile the templates
        work = [lambda: answers.update(flood(arena.port, stop))] if flooded else []
        work += [lambda: took.extend(visit(arena.port, stop))]
        threads = [Thread(target=part) for part in work]
        for thread in threads:
            thread.start()
        wait_for(lambda: is_league_closed(arena), lambda: f"the end of the league; {arena.read_output()}", PLAYED)
        for thread in threads[:-1]:
            thread.join()
        stop.set()
        threads[-1].join()
        return float(query_database(arena, TOOK)[0][0]), size_of(var), answers, took
    finally:
        stop.set()
        arena.process.terminate()
        arena.process.wait(STARTED)
        arena.wait_until_gone()


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepare_league(tmp_path_factory.mktemp("league") / "var", SIZE)


@pytest.fixture(scope="module")
def quiet(league: Path, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The first measurement without a load."""
    return played(copy_folder(league, tmp_path_factory.mktemp("quiet") / "var"), flooded=False)


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def p99(took: list[float]) -> float:
    return statistics.quantiles(took, n=100)[98]


def excess(quiet: Played, loaded: Played) -> float:
    """Return how near a league with a load comes to its limits; above 1 it exceeds them."""
    # on a busy machine, pages are slow even without a load
    pages = p99(loaded[3]) / max(P99_SECONDS, 2 * p99(quiet[3]))
    say(f"\nleague: quiet {quiet[0]:.1f} s, with the load {loaded[0]:.1f} s, ratio {loaded[0] / quiet[0]:.2f}")
    say(
        f"pages: quiet p99 {p99(quiet[3]) * 1000:.0f} ms, with the load {p99(loaded[3]) * 1000:.0f} of {len(loaded[3])}"
    )
    return max(loaded[0] / quiet[0] / SLOWER, pages)


def play_pairs(quiet: Played, league: Path, folder: Path, play_loaded: Callable[[Path], Played]) -> list[Played]:
    """Play a league with a load until it is within its limits, or in three pairs whose median must be.

    Something else on the machine can slow a single window down. The pairs alternate: without the load, then with it.
    """
    loaded = [play_loaded(copy_folder(league, folder / "loaded0"))]
    ratios = [excess(quiet, loaded[0])]
    while ratios[0] > 1 and len(ratios) < PAIRS:
        again = played(copy_folder(league, folder / f"quiet{len(ratios)}"), flooded=False)
        loaded.append(play_loaded(copy_folder(league, folder / f"loaded{len(ratios)}")))
        ratios.append(excess(again, loaded[-1]))
    assert statistics.median(ratios) <= 1
    return loaded


def test_a_league_continues_and_pages_are_served_during_a_flood_of_requests(
    quiet: Played, league: Path, tmp_path: Path
) -> None:
    for _, disk, answers, _ in play_pairs(quiet, league, tmp_path, lambda var: played(var, flooded=True)):
        mib = (disk - quiet[1]) / MIB
        say(f"disk: {mib:.1f} MiB more; answers: {dict(sorted(answers.items()))}")
        assert answers.total() == REQUESTS
        assert not [answer for answer in answers if answer.split()[-1].startswith("5")]
        assert mib < DISK_MIB


def played_with_trials(var: Path) -> Played:
    """Add trials of 16 slow bots, then play the league."""
    server = embedded_postgres.start_server(var / "postgres")
    try:
        subprocess.run([sys.executable, "-c", TRIALS, SLOW], env=build_environment(var), check=True)
    finally:
        server.stop()
    return played(var, flooded=False)


def test_a_flood_of_trial_matches_does_not_delay_a_league(quiet: Played, league: Path, tmp_path: Path) -> None:
    assert play_pairs(quiet, league, tmp_path, played_with_trials)
