"""Collects the figures and prints them at the end as one table."""

from __future__ import annotations

import pytest
from rich.console import Console
from rich.table import Table

from tests.support.bench.windows import Figure

_figures: list[Figure] = []


@pytest.fixture
def figures() -> list[Figure]:
    """Where a benchmark puts what it measured."""
    return _figures


def pytest_sessionfinish() -> None:
    """Print all figures."""
    if not _figures:
        return
    grid = Table(title="medians of interleaved windows; ratio = ours / floor", title_justify="left")
    for column in ("what", "ours", "floor", "ratio", "the floor", "wanted"):
        grid.add_column(column, justify="left" if column in ("what", "the floor", "wanted") else "right")
    for f in _figures:
        grid.add_row(f.name, f"{f.ours:,.1f}", f"{f.floor:,.1f}", f"{f.ratio:.2f}", f.floor_name, f.aim)
    console = Console(width=180)
    console.print()
    console.print(grid)
