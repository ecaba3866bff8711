"""Preview picture of a match for links: the game and its players, never the result."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import BytesIO

import PIL
from PIL import Image, ImageDraw

from frontend.drawing.ink import (
    GOLD,
    INK,
    LIT,
    LIVE,
    PAGE,
    SEATS,
    SHARP,
    SOFT,
    Box,
    built,
    cut,
    fitting,
    font_of,
    stamp,
)

SIZE = WIDTH, HEIGHT = 1200, 630
EDITION = 1
"""Version of the drawing, part of the fingerprint; increase it with every change."""
KEPT = 64
"""Size of the picture cache, some 50 kB each."""

CROWN = ((2.5, 7.2), (7.5, 11.4), (12, 3.5), (16.5, 11.4), (21.5, 7.2), (19.5, 17.5), (4.5, 17.5))
BAND = ((4.7, 19), (19.3, 19), (19.3, 21), (4.7, 21))
"""Logo of the site, in a box of 24 by 24."""

EDGE, MARGIN, GAP = 26, 84, 28


@dataclass(frozen=True, slots=True)
class Poster:
    """Content of the picture; it does not depend on the result."""

    title: str
    """Title of the game."""
    players: tuple[str, ...]
    """By seat."""
    state: str
    """Such as ``Live now``."""
    live: bool = False
    """True while the match is played."""


def fingerprint(poster: Poster) -> str:
    """Return a hash that identifies a picture byte for byte."""
    return sha256(repr((EDITION, PIL.__version__, built(), poster)).encode()).hexdigest()[:32]


@lru_cache(KEPT)
def draw(poster: Poster) -> bytes:
    """Return the picture as a PNG file."""
    image = _ground().copy()
    ink = ImageDraw.Draw(image)
    _crown(image, (MARGIN, 74), 46)
    ink.text((MARGIN + 62, 98), "The Court", INK, font_of("serif", 40, 600), anchor="lm")
    _state(image, poster)
    columns = 2 if len(poster.players) <= 6 else 3
    rows = -(-len(poster.players) // columns)
    top = 262 + 20 * max(0, 4 - rows)  # few players are set lower, for balance
    title = fitting(poster.title, "serif", 104, 56, 600, WIDTH - 2 * MARGIN)
    ink.text((MARGIN, top), poster.title, INK, title, anchor="ls")
    ink.rectangle((MARGIN, top + 44, MARGIN + 96, top + 47), GOLD)
    _table(image, poster.players, columns, top + 104)
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@lru_cache(1)
def _ground() -> Image.Image:
    """Return the background: lit in the middle, with a golden edge and a faint crown."""
    light = (
        Image.radial_gradient("L").resize((WIDTH * 5 // 4, HEIGHT * 2)).crop((0, HEIGHT // 2, WIDTH, HEIGHT * 3 // 2))
    )
    image = Image.composite(Image.new("RGB", SIZE, PAGE), Image.new("RGB", SIZE, LIT), light)
    _crown(image, (WIDTH - 540, 84), 500, 14)
    box = (EDGE, EDGE, WIDTH - EDGE, HEIGHT - EDGE)
    stamp(image, box, GOLD, lambda ink, end: ink.rounded_rectangle(end, 22 * SHARP, outline=96, width=2 * SHARP))
    return image


def _crown(image: Image.Image, at: tuple[int, int], size: int, strength: int = 255) -> None:
    """Draw the logo on a picture, its upper left corner at a point."""

    def paint(ink: ImageDraw.ImageDraw, _end: Box) -> None:
        for shape in (CROWN, BAND):
            ink.polygon([(x * size * SHARP / 24, y * size * SHARP / 24) for x, y in shape], fill=strength)

    stamp(image, (*at, at[0] + size, at[1] + size), GOLD, paint)


def _state(image: Image.Image, poster: Poster) -> None:
    """Write the state of the match in the upper right corner."""
    font, colour = font_of("sans", 25, 600), LIVE if poster.live else SOFT
    right, middle = WIDTH - MARGIN, 98
    left = right - round(font.getlength(poster.state)) - 44
    box = (left, middle - 25, right, middle + 25)
    stamp(image, box, colour, lambda ink, end: ink.rounded_rectangle(end, 25 * SHARP, outline=255, width=2 * SHARP))
    ImageDraw.Draw(image).text((left + 22, middle), poster.state, colour, font, anchor="lm")


def _table(image: Image.Image, players: tuple[str, ...], columns: int, top: int) -> None:
    """Name the players in seat order, row by row."""
    step, row = (WIDTH - 2 * MARGIN + GAP) // columns, 76 if columns == 2 else 57
    ink = ImageDraw.Draw(image)
    for seat, name in enumerate(players):
        x, y = MARGIN + seat % columns * step, top + seat // columns * row
        stamp(image, (x, y - 11, x + 22, y + 11), SEATS[seat], lambda pen, end: pen.ellipse(end, fill=255))
        room = step - GAP - 38
        font = fitting(name, "sans", 38 if columns == 2 else 30, 21, 500, room)
        ink.text((x + 38, y), cut(name, font, room), INK, font, anchor="lm")
