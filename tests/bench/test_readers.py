"""Response times of the home page for fifty readers at once, during a league, with and without a review."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from statistics import median
from urllib.request import urlopen

from tests.support.arena import Arena, free_port
from tests.support.prepared_leagues import build_environment
from tests.support.waiting import wait_for
from tools.bench.http_load_generator import READERS, percentile_ms, read_for
from tools.bench.workload_speed_comparison import BenchmarkResult

WINDOWS, SECONDS = 5, 6.0
REVIEW_WINDOWS, INTERVAL = 16, 0.25
"""Windows with and without a review, and the seconds between two requests of a reader. Readers without pauses use a
whole processor, and then response times depend on the scheduler more than on the review.

A window has 1,200 responses, so the slowest twelve determine its p99. The figure is the p99 of all windows together.
"""
MATCHES = 100
"""Number of matches of built-in bots in the queue of reviews. It exceeds the capacity of the test's duration."""


@contextmanager
def bare_server(size: int) -> Iterator[int]:
    """Yield the port of a server without an application."""
    port = free_port()
    server = subprocess.Popen([sys.executable, "-m", "tools.bench.http_load_generator", str(port), str(size)])
    try:
        wait_for(lambda: answers(port), "the bare server answers")
        yield port
    finally:
        server.kill()
        server.wait()


def answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/", timeout=5):
            return True
    except OSError:
        return False


def begin_league(arena: Arena) -> None:
    """Start a league that lasts longer than the measurement."""
    command = [sys.executable, "-m", "tools.bench.worker_overhead", "league", "to_court_the_king", "beside", "64", "60"]
    subprocess.run(
        command, env=build_environment(arena.var, DATABASE_URL=arena.database), check=True, capture_output=True
    )


def begin_reviews(arena: Arena) -> None:
    command = [sys.executable, "-m", "tools.bench.review_load_generator", str(MATCHES)]
    subprocess.run(
        command, env=build_environment(arena.var, DATABASE_URL=arena.database), check=True, capture_output=True
    )


@contextmanager
def stop_processes(pids: list[int]) -> Iterator[None]:
    """Stop processes while the block runs."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def read_with_and_without(port: int, reviews: list[int], *, first: bool) -> tuple[list[float], list[float]]:
    """Return the response times of two windows in seconds: beside the reviews, and with their processes stopped.

    `first` is True if the window beside the reviews comes first.
    """
    beside = read_for(port, SECONDS, INTERVAL) if first else []
    with stop_processes(reviews):
        alone = read_for(port, SECONDS, INTERVAL)
    return beside or read_for(port, SECONDS, INTERVAL), alone


def test_home_page_response_times_are_compared_with_bare_uvicorn_and_with_a_server_that_runs_no_reviews(
    figures: list[BenchmarkResult], tmp_path: Path
) -> None:
    arena = Arena(tmp_path / "var", FTK_REVIEWS_PLAYOUTS="200").wait_until_open()
    try:
        with ExitStack() as stack:
            begin_league(arena)
            begin_reviews(arena)
            reviews = arena.started("reviews@")
            assert reviews
            with urlopen(f"http://127.0.0.1:{arena.port}/") as page:
                bare = stack.enter_context(bare_server(len(page.read())))
            read_for(arena.port, 2)
            rounds = [(read_for(arena.port, SECONDS), read_for(bare, SECONDS)) for _ in range(WINDOWS)]
            paced = [read_with_and_without(arena.port, reviews, first=not at % 2) for at in range(REVIEW_WINDOWS)]
    finally:
        arena.process.terminate()
        arena.process.wait(60)
        arena.wait_until_gone()
    ours, floor = ([percentile_ms(times, 99) for times in column] for column in zip(*rounds, strict=True))
    every = [time for times, _ in rounds for time in times]
    pages = len(every) / WINDOWS / SECONDS
    load = f"load {os.getloadavg()[0]:.0f}, {pages:.0f} pages/s, p50 {percentile_ms(every, 50):.0f}"
    name = f"{READERS} readers of the first page, p99 of all {percentile_ms(every, 99):.0f} ms ({load})"
    ratios = [mine / theirs for mine, theirs in zip(ours, floor, strict=True)]
    figures.append(
        BenchmarkResult(
            with_spread(name, ratios), median(ours), median(floor), median(ratios), "uvicorn alone", "<= 200 ms"
        )
    )
    figures.append(compare_beside_review(paced))


def compare_beside_review(windows: list[tuple[list[float], list[float]]]) -> BenchmarkResult:
    """Compare the p99 of all windows beside a review with that of all windows without."""
    columns = zip(*windows, strict=True)
    beside, alone = (percentile_ms(list(chain.from_iterable(column)), 99) for column in columns)
    ratios = [percentile_ms(with_review, 99) / percentile_ms(without, 99) for with_review, without in windows]
    name = with_spread(f"{READERS / INTERVAL:.0f} pages a second, p99 beside a review", ratios)
    return BenchmarkResult(name, beside, alone, beside / alone, "without the review", "<= 1.1")


def with_spread(name: str, ratios: list[float]) -> str:
    """Append the smallest and the largest ratio of neighbouring windows to the name of a figure."""
    return f"{name}, ratios {min(ratios):.2f} to {max(ratios):.2f}"
