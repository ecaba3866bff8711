"""What a reader costs: anonymous pages that one web process answers in a second, and its processor for each."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.request import urlopen

from tests.support.arena import Arena
from tests.support.bench.readers import READERS, percentile, read_for
from tests.support.capacity.arena import windowed

SECONDS, WARM_SECONDS = 8.0, 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCost:
    """What readers of the first page cost who ask again as soon as they are answered."""

    readers: int
    pages: float
    """Answered in a second, by one web process."""
    processor: float
    """Seconds of the web server for one page."""
    slowest: float
    """Seconds within which 99 in 100 answers came."""
    size: float
    """Bytes of the page."""


def read(arena: Arena) -> ReadCost:
    """Let readers read the first page for a while; who is not signed in shares it for a second."""
    with urlopen(f"http://127.0.0.1:{arena.port}/") as page:
        size = len(page.read())
    read_for(arena.port, WARM_SECONDS)
    with windowed(arena) as found:
        times = read_for(arena.port, SECONDS)
    spent = found[0].processors["web"]
    return ReadCost(
        readers=READERS,
        pages=len(times) / SECONDS,
        processor=spent / len(times),
        slowest=percentile(times, 99) / 1000,
        size=float(size),
    )
