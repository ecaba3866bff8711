"""Painting of one card, die, token or text of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from PIL.ImageDraw import ImageDraw

from frontend.drawing.shapes_and_fonts import GOLD, INK, Box, choose_seat_colour, load_font, truncate_text
from ftk_core.views.scene import ScenePiece

STYLE_FOLDER = Path(__file__).parents[1] / "ui/src"
PIP_POSITIONS = {
    "1": ((1, 1),),
    "2": ((0, 0), (2, 2)),
    "3": ((0, 0), (1, 1), (2, 2)),
    "4": ((0, 0), (0, 2), (2, 0), (2, 2)),
    "5": ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    "6": ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
"""Positions of the pips on each face of a die: (column, row), each from 0 to 2."""


@lru_cache(1)
def _read_page_colours() -> dict[str, str]:
    """Return the colours of the dark theme from tokens.css, by name."""
    tokens = (STYLE_FOLDER / "styles/tokens.css").read_text()
    return dict(re.findall(r"--([\w-]+): (?:light-dark\(#\w+, )?(#\w{6})\)?;", tokens))


FACE, EDGE, LETTERS, BACK = (_read_page_colours()[name] for name in ("card-face", "card-edge", "card-ink", "back"))
"""Colours of a card's face, outline, text and back, as in the browser view."""


@cache
def read_piece_colours(game: str) -> Mapping[str, str]:
    """Return the colours of pieces from a game's style sheet, by CSS class."""
    sheet = STYLE_FOLDER / "games" / game / "skin.css"
    text = sheet.read_text() if sheet.exists() else ""
    dressed = re.findall(r"\.piece(?:\.card)?\.(\w+) \{\s*--tone: var\(--(\w+)\)", text)
    return {word: _read_page_colours()[colour] for word, colour in dressed}


def choose_colour(piece: ScenePiece, game: str) -> str:
    """Return the colour of a piece: that of its first tag with a colour in the game's style sheet.

    Tags are texts such as ``office:diplomacy``. If no tag has a colour, return the colour of text.
    """
    words = (tag.rpartition(":")[2] for tag in piece.tags)
    return next((read_piece_colours(game)[word] for word in words if word in read_piece_colours(game)), LETTERS)


def paint_piece(ink: ImageDraw, piece: ScenePiece, box: Box, game: str) -> None:
    """Paint a piece into a rectangle, outlined in its owner's colour."""
    match piece.kind:
        case "text":
            ink.text(
                (box[0], box[1]),
                truncate_text(piece.label, load_font("serif", 44, 500), box[2] - box[0]),
                INK,
                load_font("serif", 44, 500),
            )
            return
        case "die":
            _paint_die(ink, piece, box)
        case "token":
            _paint_token(ink, piece, box)
        case "card" | "tile":
            _paint_card(ink, piece, box, choose_colour(piece, game))
    holder = next((tag[5:] for tag in piece.tags if tag.startswith("seat:")), "")
    if holder.isdecimal():
        ink.rounded_rectangle(box, 12, outline=choose_seat_colour(int(holder)), width=6)


def _paint_card(ink: ImageDraw, piece: ScenePiece, box: Box, tone: str) -> None:
    width = box[2] - box[0]
    if not piece.face:
        ink.rounded_rectangle(box, 12, BACK, FACE, 5)
        x, y, r = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2, width // 8
        ink.ellipse((x - r, y - r, x + r, y + r), GOLD)
        return
    ink.rounded_rectangle(box, 12, tone)
    ink.rounded_rectangle((box[0], box[1] + 10, box[2], box[3]), 12, FACE)
    ink.rounded_rectangle(box, 12, outline=EDGE, width=2)
    value = next((tag[6:] for tag in piece.tags if tag.startswith("value:")), "")
    size = round(width * 0.46)
    if value:
        ink.text((box[0] + 10, box[1] + 14), value, tone, load_font("serif", size, 600))
    _paint_label(ink, piece.label, (box[0] + 8, box[1] + (14 + size if value else 22), box[2] - 4, box[3] - 4))


def _paint_label(ink: ImageDraw, label: str, box: Box) -> None:
    """Write the label of a piece, one word per line."""
    size = max(16, (box[2] - box[0]) // 6)
    font = load_font("sans", size, 600)
    for number, word in enumerate(label.split()):
        y = box[1] + number * (size + 3)
        if y + size > box[3]:
            return
        ink.text((box[0], y), truncate_text(word, font, box[2] - box[0]), LETTERS, font)


def _paint_die(ink: ImageDraw, piece: ScenePiece, box: Box) -> None:
    side = box[2] - box[0]
    ink.rounded_rectangle(box, side // 6, FACE, EDGE, 2)
    for column, row in PIP_POSITIONS.get(piece.face, ()):
        x, y, r = box[0] + side * (column + 1) // 4, box[1] + side * (row + 1) // 4, side // 11
        ink.ellipse((x - r, y - r, x + r, y + r), LETTERS)
    if piece.face not in PIP_POSITIONS:
        font = load_font("serif", side // 2, 600)
        ink.text(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), piece.face, LETTERS, font, anchor="mm")


def _paint_token(ink: ImageDraw, piece: ScenePiece, box: Box) -> None:
    ground, letters = (FACE, LETTERS) if piece.face else (BACK, FACE)
    font = load_font("sans", 24, 500)
    ink.rounded_rectangle(box, (box[3] - box[1]) // 2, ground, FACE, 3)
    ink.text(
        (box[0] + 16, (box[1] + box[3]) / 2),
        truncate_text(piece.label, font, box[2] - box[0] - 32),
        letters,
        font,
        anchor="lm",
    )
