"""Layout of the cards, dice and tokens in one area of the table picture."""
# All lengths are pixels of the canvas in `frontend.drawing.game_table_picture`, which is scaled down later.

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from frontend.drawing.shapes_and_fonts import Box, load_font
from ftk_core.views.scene import ScenePiece, SceneZone

CARD_HEIGHT_RATIO = 1.36
"""Height of a card relative to its width."""
PIECE_GAP = 8
"""Distance between two neighbouring pieces of a zone."""
TITLE, NOTE = 30, 24
"""Height of the heading above a zone's pieces, and the font size of the heading and of tokens."""
STACK_OFFSET = 10
"""Visible part of each covered card in a stack."""


@dataclass(frozen=True, slots=True)
class SceneZoneLayout:
    """Size of an area of the table, and the positions of its pieces."""

    # Positions are relative to the area's upper left corner.

    pieces: tuple[tuple[ScenePiece, Box], ...]
    width: int
    height: int


def compute_piece_size(piece: ScenePiece, unit: int, max_width: int) -> tuple[int, int]:
    """Return the width and height of a piece in pixels.

    Cards are `unit` pixels wide, and no piece is wider than `max_width` pixels.
    """
    match piece.kind:
        case "card":
            width, height = unit, round(unit * CARD_HEIGHT_RATIO)
        case "tile" | "die":
            width = height = round(unit * 0.9)
        case "token":
            width, height = ceil(load_font("sans", NOTE, 500).getlength(piece.label)) + 32, 44
        case "text":
            width, height = ceil(load_font("serif", 44, 500).getlength(piece.label)) + 8, 52
    return min(width, max_width), height


def lay_out_zone(zone: SceneZone, unit: int, room: int) -> SceneZoneLayout:
    """Return the positions of the pieces in one area of the table, such as a hand.

    Cards are `unit` pixels wide, and the area is at most `room` pixels wide.
    """
    # Texts and tokens are arranged in lines. Other pieces are in one row, and overlap in a stack or if the row would be
    # too wide.
    pieces = zone.pieces[:1] if zone.layout == "bubble" else zone.pieces
    sizes = [compute_piece_size(piece, unit, room) for piece in pieces]
    words = any(piece.kind in ("token", "text") for piece in pieces)
    spots = (
        _place_in_lines(sizes, room)
        if words
        else _place_in_row(sizes, room, STACK_OFFSET if zone.layout == "stack" else None)
    )
    boxes = [(x, TITLE + y, x + w, TITLE + y + h) for (x, y), (w, h) in zip(spots, sizes, strict=True)]
    titled = ceil(load_font("sans", NOTE, 500).getlength(describe_zone(zone)))
    width = min(room, max([titled, *(box[2] for box in boxes)]))
    height = max([TITLE, *(box[3] for box in boxes)])
    return SceneZoneLayout(tuple(zip(pieces, boxes, strict=True)), width, height)


def describe_zone(zone: SceneZone) -> str:
    """Return the heading of an area of the table."""
    return f"{zone.label}: {zone.note}" if zone.note else zone.label


def _place_in_row(sizes: list[tuple[int, int]], room: int, step: int | None) -> list[tuple[int, int]]:
    """Return the upper left corners of pieces in one row; they overlap if the row would be wider than `room` pixels."""
    # `step` is the distance from corner to corner; None puts the pieces side by side.
    free = room - (sizes[-1][0] if sizes else 0)
    steps = [width + PIECE_GAP if step is None else step for width, _ in sizes]
    wanted = sum(steps[:-1])
    squeezed = min(1.0, free / wanted) if wanted else 1.0
    spots, x = [], 0.0
    for each in steps:
        spots.append((round(x), 0))
        x += each * squeezed
    return spots


def _place_in_lines(sizes: list[tuple[int, int]], room: int) -> list[tuple[int, int]]:
    """Return the upper left corners of pieces in several lines of limited width."""
    spots, x, y = [], 0, 0
    for width, height in sizes:
        if x and x + width > room:
            x, y = 0, y + height + PIECE_GAP
        spots.append((x, y))
        x += width + PIECE_GAP
    return spots
