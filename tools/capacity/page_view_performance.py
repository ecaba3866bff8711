"""Measurement of anonymous page views of one web process."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.request import urlopen

from tests.support.arena import Arena
from tools.bench.http_load_generator import READERS, percentile_ms, read_for
from tools.capacity.arena_measurement import measure_window

SECONDS, WARM_SECONDS = 8.0, 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageViewPerformance:
    """Speed and cost of anonymous views of the home page."""

    # Each client requests the page again as soon as it has received it.

    readers: int
    pages: float
    """Pages per second from one web process."""
    processor: float
    """Processor seconds of the web server per page."""
    slowest: float
    """99th percentile of the response time in seconds."""
    size: float
    """Size of the page in bytes."""


def measure_page_views(arena: Arena) -> PageViewPerformance:
    """Let anonymous clients request the home page for some seconds. Return the speed and cost of the page views."""
    # The server renders the page once per second and answers all requests of that second with it.
    with urlopen(f"http://127.0.0.1:{arena.port}/") as page:
        size = len(page.read())
    read_for(arena.port, WARM_SECONDS)
    with measure_window(arena) as found:
        times = read_for(arena.port, SECONDS)
    spent = found[0].processors["web"]
    return PageViewPerformance(
        readers=READERS,
        pages=len(times) / SECONDS,
        processor=spent / len(times),
        slowest=percentile_ms(times, 99) / 1000,
        size=float(size),
    )
