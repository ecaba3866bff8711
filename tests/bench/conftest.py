"""The `figures` fixture, and a table of all figures at the end of the session."""

from __future__ import annotations

import os

import pytest
from rich.console import Console
from rich.table import Table

from tools.bench.workload_speed_comparison import BenchmarkResult

_figures: list[BenchmarkResult] = []


@pytest.fixture
def figures() -> list[BenchmarkResult]:
    """The list to which a benchmark adds its figures."""
    return _figures


def pytest_sessionfinish() -> None:
    """Print all figures."""
    if not _figures:
        return
    load = ", ".join(f"{average:.1f}" for average in os.getloadavg())
    title = f"medians of interleaved windows; ratio = ours / floor; load averages {load} on {os.cpu_count()} processors"
    grid = Table(title=title, title_justify="left")
    for column in ("what", "ours", "floor", "ratio", "spread", "the floor", "wanted"):
        grid.add_column(column, justify="left" if column in ("what", "the floor", "wanted") else "right")
    for f in _figures:
        spread = f"{f.lowest:.2f} to {f.highest:.2f}" if f.lowest is not None else ""
        grid.add_row(f.name, f"{f.ours:,.1f}", f"{f.floor:,.1f}", f"{f.ratio:.2f}", spread, f.floor_name, f.aim)
    console = Console(width=180)
    console.print()
    console.print(grid)
