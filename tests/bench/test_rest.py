"""An arena at rest: its processes and memory, and the seconds until its first page and until it has ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from statistics import median

from tests.support.arena import Arena
from tests.support.bench.windows import Figure
from tests.support.footprint import MAX_BYTES_AT_REST, MAX_PROCESSES_AT_REST, descendants, memory
from tests.support.prepared import environment
from tests.support.waiting import wait_for

STARTS = 4
"""The first of them makes the database, and is not counted."""


def seconds_of_one_command(var: Path) -> float:
    """Return how long Django takes to start and do nothing, which every process of the arena would take, too."""
    began = time.monotonic()
    subprocess.run(
        [sys.executable, "manage.py", "version"], env=environment(var), stdout=subprocess.DEVNULL, check=True
    )
    return time.monotonic() - began


def count_at_rest(root: int) -> int:
    """Return the number of an arena's processes once it is within the bound; 0 before."""
    count = len(descendants(root))
    return count if count <= MAX_PROCESSES_AT_REST else 0


def test_an_arena_starts_soon_and_takes_little_at_rest_and_ends_soon(figures: list[Figure], tmp_path: Path) -> None:
    opened, ended, floor, memories, counts = [], [], [], [], []
    for number in range(STARTS):
        floor.append(seconds_of_one_command(tmp_path / "var"))
        began = time.monotonic()
        arena = Arena(tmp_path / "var", "--workers", "2")
        try:
            arena.opened()
            assert arena.answers()
            if number:
                opened.append(time.monotonic() - began)
            counts.append(wait_for(partial(count_at_rest, arena.process.pid), "at rest", 180))
            memories.append(memory(arena.process.pid))
        finally:
            began = time.monotonic()
            arena.process.send_signal(signal.SIGINT)
            arena.process.wait(60)
        ended.append(time.monotonic() - began)
    load = f"load {os.getloadavg()[0]:.0f}"
    one = median(floor)
    for name, seconds, aim in (
        ("first page after `up`, warm", opened, "<= 8 s"),
        ("Ctrl-C to the end", ended, "<= 3 s"),
    ):
        middle = median(seconds)
        shown = f"{name}, s (slowest {max(seconds):.1f}, {load})"
        figures.append(Figure(shown, middle, one, middle / one, "one command of Django", aim))
    shown = f"memory at rest, MB (most {max(memories) / 1e6:.0f}; {max(counts)} processes of {MAX_PROCESSES_AT_REST})"
    middle = median(memories) / 1e6
    figures.append(
        Figure(shown, middle, MAX_BYTES_AT_REST / 1e6, middle * 1e6 / MAX_BYTES_AT_REST, "the bound", "<= 1")
    )
