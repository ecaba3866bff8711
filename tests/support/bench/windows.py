"""Measure two things against each other in interleaved windows, and report the medians."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

Work = Callable[[], float]
"""Does some work and returns how much: decisions, entries, openings."""

WINDOWS = 7
WINDOW_SECONDS = 0.4


@dataclass(frozen=True, slots=True)
class Figure:
    """What came out of a comparison."""

    name: str
    ours: float
    """Per second, the median window."""
    floor: float
    """Per second, the median window of what it is held against."""
    ratio: float
    """The median of the ratios of neighbouring windows, ours / floor."""
    floor_name: str
    aim: str


def rate(work: Work) -> float:
    """Return how much is done in a second, over one window."""
    done, started = 0.0, time.perf_counter()
    while (spent := time.perf_counter() - started) < WINDOW_SECONDS:
        done += work()
    return done / spent


def compare(name: str, ours: Work, floor_name: str, floor: Work, aim: str) -> Figure:
    """Run both in turn, after one warm-up each, and return the medians."""
    ours(), floor()
    pairs = [(rate(ours), rate(floor)) for _ in range(WINDOWS)]
    return Figure(
        name,
        median(mine for mine, _ in pairs),
        median(theirs for _, theirs in pairs),
        median(mine / theirs for mine, theirs in pairs),
        floor_name,
        aim,
    )
