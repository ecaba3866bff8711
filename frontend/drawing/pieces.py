"""Painting of one piece of a table; its colour comes from the viewer's style sheets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from PIL.ImageDraw import ImageDraw

from frontend.drawing.ink import GOLD, INK, SEATS, Box, cut, font_of
from ftk_core.scene import Piece

STYLES = Path(__file__).parents[1] / "ui/src"
FACE, EDGE, LETTERS, BACK = "#f4eddf", "#0d0b12", "#211b2b", "#3a2b52"
"""Colours of a card's face, edge, text and back: `--card-face` and so on in the pages' tokens."""
PIPS = {
    "1": ((1, 1),),
    "2": ((0, 0), (2, 2)),
    "3": ((0, 0), (1, 1), (2, 2)),
    "4": ((0, 0), (0, 2), (2, 0), (2, 2)),
    "5": ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    "6": ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
"""Positions of a die's pips, in columns and rows."""


@lru_cache(1)
def _named() -> dict[str, str]:
    """Return, by name, the page colours that do not change between the light and the dark theme."""
    return dict(re.findall(r"--(\w+): (#\w{6})", (STYLES / "styles/tokens.css").read_text()))


@cache
def tones(game: str) -> Mapping[str, str]:
    """Return the colours of a game's tagged pieces by tag, from its style sheet."""
    sheet = STYLES / "games" / game / "skin.css"
    text = sheet.read_text() if sheet.exists() else ""
    dressed = re.findall(r"\.piece(?:\.card)?\.(\w+) \{\s*--tone: var\(--(\w+)\)", text)
    return {word: _named()[colour] for word, colour in dressed}


def tone_of(piece: Piece, game: str) -> str:
    """Return a piece's colour; the text colour if it has none."""
    words = (tag.rpartition(":")[2] for tag in piece.tags)
    return next((tones(game)[word] for word in words if word in tones(game)), LETTERS)


def paint(ink: ImageDraw, piece: Piece, box: Box, game: str) -> None:
    """Paint a piece at its position, with the ring of the seat that holds it."""
    match piece.kind:
        case "text":
            ink.text(
                (box[0], box[1]),
                cut(piece.label, font_of("serif", 44, 500), box[2] - box[0]),
                INK,
                font_of("serif", 44, 500),
            )
            return
        case "die":
            _die(ink, piece, box)
        case "token":
            _token(ink, piece, box)
        case "card" | "tile":
            _card(ink, piece, box, tone_of(piece, game))
    holder = next((tag[5:] for tag in piece.tags if tag.startswith("seat:")), "")
    if holder.isdecimal() and int(holder) < len(SEATS):
        ink.rounded_rectangle(box, 12, outline=SEATS[int(holder)], width=6)


def _card(ink: ImageDraw, piece: Piece, box: Box, tone: str) -> None:
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
        ink.text((box[0] + 10, box[1] + 14), value, tone, font_of("serif", size, 600))
    _label(ink, piece.label, (box[0] + 8, box[1] + (14 + size if value else 22), box[2] - 4, box[3] - 4))


def _label(ink: ImageDraw, label: str, box: Box) -> None:
    """Write a name, one word per line, as far as it fits."""
    size = max(16, (box[2] - box[0]) // 6)
    font = font_of("sans", size, 600)
    for number, word in enumerate(label.split()):
        y = box[1] + number * (size + 3)
        if y + size > box[3]:
            return
        ink.text((box[0], y), cut(word, font, box[2] - box[0]), LETTERS, font)


def _die(ink: ImageDraw, piece: Piece, box: Box) -> None:
    side = box[2] - box[0]
    ink.rounded_rectangle(box, side // 6, FACE, EDGE, 2)
    for column, row in PIPS.get(piece.face, ()):
        x, y, r = box[0] + side * (column + 1) // 4, box[1] + side * (row + 1) // 4, side // 11
        ink.ellipse((x - r, y - r, x + r, y + r), LETTERS)
    if piece.face not in PIPS:
        font = font_of("serif", side // 2, 600)
        ink.text(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), piece.face, LETTERS, font, anchor="mm")


def _token(ink: ImageDraw, piece: Piece, box: Box) -> None:
    ground, letters = (FACE, LETTERS) if piece.face else (BACK, FACE)
    font = font_of("sans", 24, 500)
    ink.rounded_rectangle(box, (box[3] - box[1]) // 2, ground, FACE, 3)
    ink.text(
        (box[0] + 16, (box[1] + box[3]) / 2), cut(piece.label, font, box[2] - box[0] - 32), letters, font, anchor="lm"
    )
