"""Comparison of the speed of two workloads, by medians over alternating time windows."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

Work = Callable[[], float]
"""Function that does some work and returns its amount, for example the number of decisions."""

WINDOWS = 7
WINDOW_SECONDS = 0.4


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """Result of comparing the speed of this project's code (`ours`) with that of a reference workload (`floor`)."""

    name: str
    ours: float
    """Median amount of work per second of this project's code."""
    floor: float
    """Median amount of work per second of the reference workload."""
    ratio: float
    """Median of the ratios ours / floor of neighbouring time windows."""
    floor_name: str
    aim: str
    lowest: float | None = None
    """Lowest ratio of neighbouring time windows; None if there was one measurement."""
    highest: float | None = None


def measure_rate(work: Work) -> float:
    """Return the amount of work done per second during one time window."""
    done, started = 0.0, time.perf_counter()
    while (spent := time.perf_counter() - started) < WINDOW_SECONDS:
        done += work()
    return done / spent


def compare_rates(
    name: str, ours: Work, floor_name: str, floor: Work, aim: str, windows: int = WINDOWS
) -> BenchmarkResult:
    """Run both workloads alternately, after one warm-up each, and return the medians of their speeds."""
    ours(), floor()
    pairs = [(measure_rate(ours), measure_rate(floor)) for _ in range(windows)]
    ratios = [mine / theirs for mine, theirs in pairs]
    return BenchmarkResult(
        name,
        median(mine for mine, _ in pairs),
        median(theirs for _, theirs in pairs),
        median(ratios),
        floor_name,
        aim,
        min(ratios),
        max(ratios),
    )
