"""Small SVG charts, rendered on the server so that they need no script; they contain numbers only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 100.0, 28.0
"""Size of a sparkline, in its own units."""
ROOM = 3.0
"""Margin for the stroke width."""
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
LEVELS = 4
"""Approximate number of horizontal lines in a chart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spark:
    """A line without scales."""

    points: str
    """For a polyline in a box of 100 by 28."""
    x: float
    y: float
    """End of the line."""
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line across a chart, with its value."""

    y: float
    """In hundredths of the height, from the top."""
    label: str


@dataclass(frozen=True, slots=True)
class Notch:
    """A mark on the time axis."""

    x: float
    """In hundredths of the width."""
    label: str
    late: bool
    """If True, the label is left of the mark, for lack of space."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A line in a box of 100 by 100, with levels and notches."""

    points: str
    levels: list[Level]
    notches: list[Notch]
    x: float
    y: float
    """End of the line."""


def spark(values: Sequence[float]) -> Spark | None:
    """Return the sparkline of two or more numbers; None for fewer."""
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    span = max(high - low, 1e-9)
    across = [ROOM + (WIDTH - 2 * ROOM) * n / (len(values) - 1) for n in range(len(values))]
    down = [ROOM + (HEIGHT - 2 * ROOM) * (high - value) / span for value in values]
    points = _points(across, down)
    return Spark(
        points=points, x=round(across[-1], 1), y=round(down[-1], 1), first=f"{values[0]:.0f}", last=f"{values[-1]:.0f}"
    )


def chart(values: Sequence[float], marks: Sequence[tuple[int, str]]) -> Chart | None:
    """Return the chart of two or more numbers; `marks` are (index of the number, label)."""
    if len(values) < 2:
        return None
    step = _step(max(values) - min(values))
    low = int(min(values) // step) * step
    high = int(-(-max(values) // step)) * step
    high += step if high == low else 0
    across = [100 * n / (len(values) - 1) for n in range(len(values))]
    down = [100 * (high - value) / (high - low) for value in values]
    levels = [Level(round(100 * (high - at) / (high - low), 2), str(at)) for at in range(low, high + 1, step)]
    notches = [Notch(round(across[n], 2), label, across[n] > 85) for n, label in marks]
    return Chart(
        points=_points(across, down), levels=levels, notches=notches, x=round(across[-1], 2), y=round(down[-1], 2)
    )


def _step(span: float) -> int:
    return next((step for step in STEPS if span / step <= LEVELS), STEPS[-1])


def _points(across: Sequence[float], down: Sequence[float]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in zip(across, down, strict=True))
