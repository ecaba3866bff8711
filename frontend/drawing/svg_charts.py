"""Small SVG line charts, computed on the server; they need no script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 100.0, 28.0
"""Size of a sparkline in SVG units."""
MARGIN = 3.0
"""Margin around a sparkline, so that its stroke is not cut off."""
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
"""Possible distances between the horizontal lines of a chart."""
MAX_INTERVALS = 4
"""Maximum number of intervals into which horizontal lines divide the range of a chart's values. The distance between
the lines is the smallest number in `STEPS` that keeps this maximum."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sparkline:
    """Small line chart without axes, with a label at both ends."""

    points: str
    """Value of the attribute `points` of an SVG polyline, in a box of 100 by 28 units."""
    x: float
    y: float
    """Vertical position of the end of the line, in units from the top."""
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class HorizontalGridLine:
    """A horizontal line across a chart, with a label."""

    y: float
    """Position from the top, in hundredths of the chart's height."""
    label: str


@dataclass(frozen=True, slots=True)
class TimeAxisTick:
    """A mark on the time axis of a chart, with a label."""

    x: float
    """Position from the left, in hundredths of the chart's width."""
    label: str
    late: bool
    """True if the label is placed left of the mark, because there is no space to the right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    """Line chart in a box of 100 by 100 units, with a time axis."""

    points: str
    levels: list[HorizontalGridLine]
    notches: list[TimeAxisTick]
    x: float
    y: float
    """Vertical position of the end of the line, in units from the top."""


def make_sparkline(values: Sequence[float]) -> Sparkline | None:
    """Return the sparkline of a series of numbers; None for fewer than two numbers."""
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    span = max(high - low, 1e-9)
    across = [MARGIN + (WIDTH - 2 * MARGIN) * n / (len(values) - 1) for n in range(len(values))]
    down = [MARGIN + (HEIGHT - 2 * MARGIN) * (high - value) / span for value in values]
    points = _format_points(across, down)
    return Sparkline(
        points=points, x=round(across[-1], 1), y=round(down[-1], 1), first=f"{values[0]:.0f}", last=f"{values[-1]:.0f}"
    )


def make_chart(values: Sequence[float], marks: Sequence[tuple[int, str]]) -> LineChart | None:
    """Return the line chart of some numbers; None for fewer than two.

    `marks` are the marks on the time axis, as pairs (index in `values`, label).
    """
    if len(values) < 2:
        return None
    step = _choose_step(max(values) - min(values))
    low = int(min(values) // step) * step
    high = int(-(-max(values) // step)) * step
    high += step if high == low else 0
    across = [100 * n / (len(values) - 1) for n in range(len(values))]
    down = [100 * (high - value) / (high - low) for value in values]
    levels = [
        HorizontalGridLine(round(100 * (high - at) / (high - low), 2), str(at)) for at in range(low, high + 1, step)
    ]
    notches = [TimeAxisTick(round(across[n], 2), label, across[n] > 85) for n, label in marks]
    return LineChart(
        points=_format_points(across, down),
        levels=levels,
        notches=notches,
        x=round(across[-1], 2),
        y=round(down[-1], 2),
    )


def _choose_step(span: float) -> int:
    return next((step for step in STEPS if span / step <= MAX_INTERVALS), STEPS[-1])


def _format_points(across: Sequence[float], down: Sequence[float]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in zip(across, down, strict=True))
