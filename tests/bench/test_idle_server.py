"""Processes and memory of an idle arena, and its times to start and to stop."""

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
from tests.support.footprint import MAX_BYTES_AT_REST, MAX_PROCESSES_AT_REST, list_process_tree, measure_memory
from tests.support.prepared_leagues import build_environment
from tests.support.waiting import wait_for
from tools.bench.workload_speed_comparison import BenchmarkResult

STARTS = 4
"""The first start creates the database and is not counted."""


def seconds_of_one_command(var: Path) -> float:
    """Return the time that Django takes to start and exit, which is the minimum for every process of the arena."""
    began = time.monotonic()
    subprocess.run(
        [sys.executable, "manage.py", "version"], env=build_environment(var), stdout=subprocess.DEVNULL, check=True
    )
    return time.monotonic() - began


def count_at_rest(root: int) -> int:
    """Return the number of an arena's processes if they are few enough, else 0."""
    count = len(list_process_tree(root))
    return count if count <= MAX_PROCESSES_AT_REST else 0


def test_an_idle_server_starts_and_stops_quickly_and_uses_little_memory(
    figures: list[BenchmarkResult], tmp_path: Path
) -> None:
    opened, ended, floor, memories, counts = [], [], [], [], []
    for number in range(STARTS):
        floor.append(seconds_of_one_command(tmp_path / "var"))
        began = time.monotonic()
        arena = Arena(tmp_path / "var", "--workers", "2")
        try:
            arena.wait_until_open()
            assert arena.answers()
            if number:
                opened.append(time.monotonic() - began)
            counts.append(wait_for(partial(count_at_rest, arena.process.pid), "at rest", 180))
            memories.append(measure_memory(arena.process.pid))
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
        figures.append(BenchmarkResult(shown, middle, one, middle / one, "one command of Django", aim))
    shown = f"memory at rest, MB (most {max(memories) / 1e6:.0f}; {max(counts)} processes of {MAX_PROCESSES_AT_REST})"
    middle = median(memories) / 1e6
    figures.append(
        BenchmarkResult(shown, middle, MAX_BYTES_AT_REST / 1e6, middle * 1e6 / MAX_BYTES_AT_REST, "the bound", "<= 1")
    )
