"""Minimal workloads. Benchmarks compare the speed of this project's code with theirs."""

from __future__ import annotations

import gc
import json
import time
from hashlib import sha256
from statistics import median


def run_minimal_loop(lines: list[bytes]) -> float:
    """Parse, serialize and hash each line: the minimum work of an engine with a JSON log."""
    # The amount of work returned is 1.0, one pass over the lines.
    head = b""
    for line in lines:
        head = sha256(head + json.dumps(json.loads(line)).encode()).digest()
    return 1.0


REFERENCE_SECONDS = 0.040
"""Time of `run_fixed_program` on the reference processor, by definition. Time limits of benchmarks are for it."""
FIXED_PROGRAM_RUNS = 9


def run_fixed_program() -> float:
    """Fill, serialize, parse, sort and hash a table of 20,000 numbers; return the seconds that this took."""
    started = time.perf_counter()
    table = {str(number): number * 7 % 1013 for number in range(20_000)}
    text = json.dumps(table)
    json.dumps(sorted(json.loads(text).items(), key=lambda item: (item[1], item[0])))
    sha256(text.encode()).digest()
    return time.perf_counter() - started


def allow_seconds(seconds: float) -> float:
    """Return a time limit: `seconds`, or more if this machine is slower than the reference machine."""
    return seconds * max(1.0, measure_slowness())


def measure_slowness() -> float:
    """Return how many times as long as on the reference machine a program takes here and now."""
    gc.disable()  # a collection takes longer the more objects this process has
    try:
        return median(run_fixed_program() for _ in range(FIXED_PROGRAM_RUNS)) / REFERENCE_SECONDS
    finally:
        gc.enable()
