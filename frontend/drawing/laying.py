"""Layout of pieces on the picture of a table; lengths are pixels of the canvas of `frontend.drawing.table`."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from frontend.drawing.ink import Box, font_of
from ftk_core.scene import Piece, Zone

TALL = 1.36
"""Height of a card relative to its width."""
CLOSE = 8
"""Distance between two pieces of a zone."""
TITLE, NOTE = 30, 24
"""Height of the line above a zone's pieces, and its font size."""
STACKED = 10
"""Visible offset between the cards of a stack."""


@dataclass(frozen=True, slots=True)
class ZonePlan:
    """Positions of a zone's pieces, and the zone's size."""

    pieces: tuple[tuple[Piece, Box], ...]
    width: int
    height: int


def size_of(piece: Piece, unit: int, room: int) -> tuple[int, int]:
    """Return a piece's size for cards of width `unit`, at most `room` wide."""
    match piece.kind:
        case "card":
            width, height = unit, round(unit * TALL)
        case "tile" | "die":
            width = height = round(unit * 0.9)
        case "token":
            width, height = ceil(font_of("sans", NOTE, 500).getlength(piece.label)) + 32, 44
        case "text":
            width, height = ceil(font_of("serif", 44, 500).getlength(piece.label)) + 8, 52
    return min(width, room), height


def lay(zone: Zone, unit: int, room: int) -> ZonePlan:
    """Lay out a zone's pieces from its upper left corner: text in lines, other pieces in one row that may overlap."""
    sizes = [size_of(piece, unit, room) for piece in zone.pieces]
    words = any(piece.kind in ("token", "text") for piece in zone.pieces)
    spots = _lines(sizes, room) if words else _row(sizes, room, STACKED if zone.layout == "stack" else None)
    boxes = [(x, TITLE + y, x + w, TITLE + y + h) for (x, y), (w, h) in zip(spots, sizes, strict=True)]
    titled = ceil(font_of("sans", NOTE, 500).getlength(heading(zone)))
    width = min(room, max([titled, *(box[2] for box in boxes)]))
    height = max([TITLE, *(box[3] for box in boxes)])
    return ZonePlan(tuple(zip(zone.pieces, boxes, strict=True)), width, height)


def heading(zone: Zone) -> str:
    """Return the heading of a zone."""
    return f"{zone.label}: {zone.note}" if zone.note else zone.label


def _row(sizes: list[tuple[int, int]], room: int, step: int | None) -> list[tuple[int, int]]:
    """Return the corners of pieces in one row, spaced as widely as possible."""
    free = room - (sizes[-1][0] if sizes else 0)
    steps = [width + CLOSE if step is None else step for width, _ in sizes]
    wanted = sum(steps[:-1])
    squeezed = min(1.0, free / wanted) if wanted else 1.0
    spots, x = [], 0.0
    for each in steps:
        spots.append((round(x), 0))
        x += each * squeezed
    return spots


def _lines(sizes: list[tuple[int, int]], room: int) -> list[tuple[int, int]]:
    """Return the corners of pieces in as many lines as they need."""
    spots, x, y = [], 0, 0
    for width, height in sizes:
        if x and x + width > room:
            x, y = 0, y + height + CLOSE
        spots.append((x, y))
        x += width + CLOSE
    return spots
