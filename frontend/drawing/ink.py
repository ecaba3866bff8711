"""Colours, fonts and anti-aliased shapes of all pictures."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

KEPT = 64
"""Size of the font cache."""

# dark theme of frontend/ui/src/styles/tokens.css
PAGE, LIT, INK, SOFT, GOLD, LIVE = "#14121a", "#342f40", "#f0e9db", "#b0a7b8", "#dcb25a", "#ff8a7d"
SEATS = (
    *("#7db4f5", "#f29a76", "#7fcf97", "#c79cf0", "#e8c163", "#f294c0"),
    *("#6fd3d8", "#c2beb6", "#a3aef0", "#c6d46b", "#e59a9a", "#92c9be"),
)
SHARP = 4
"""Factor of supersampling for smooth edges."""

BUILT = Path(__file__).parents[1] / "static/ui"
FACES = {"serif": "eb-garamond/files/eb-garamond-latin-wght", "sans": "inter/files/inter-latin-wght"}

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
Box = tuple[int, int, int, int]
Paint = Callable[[ImageDraw.ImageDraw, Box], None]


def stamp(image: Image.Image, box: Box, colour: str, paint: Paint) -> None:
    """Draw an anti-aliased shape in one colour; `paint` is given the enlarged box, at (0, 0)."""
    width, height = (box[2] - box[0]) * SHARP, (box[3] - box[1]) * SHARP
    mask = Image.new("L", (width, height))
    paint(ImageDraw.Draw(mask), (0, 0, width - 1, height - 1))
    image.paste(colour, box[:2], mask.reduce(SHARP))


def fitting(text: str, face: str, size: int, least: int, weight: int, room: int) -> Font:
    """Return the largest font between two sizes in which a text fits; the smaller one if none does."""
    for points in range(size, least, -2):
        font = font_of(face, points, weight)
        if font.getlength(text) <= room:
            return font
    return font_of(face, least, weight)


def cut(text: str, font: Font, room: int) -> str:
    """Return a text truncated to the available width."""
    if font.getlength(text) <= room:
        return text
    while text and font.getlength(text + "…") > room:
        text = text[:-1]
    return text + "…"


@lru_cache(KEPT)
def font_of(face: str, size: int, weight: int) -> Font:
    """Return a font of the pages, or Pillow's default font where the pages are not built."""
    path = built().get(face)
    if path is None:
        return ImageFont.load_default(size)
    try:
        font = ImageFont.truetype(BUILT / path, size)
        font.set_variation_by_axes([weight])
    except OSError:  # this FreeType cannot read WOFF2
        return ImageFont.load_default(size)
    return font


@lru_cache(1)
def built() -> dict[str, str]:
    """Return the paths of the site's font files by typeface; empty if the frontend has not been built."""
    try:
        manifest = json.loads((BUILT / "manifest.json").read_text())
    except FileNotFoundError:
        return {}
    return {
        face: part["file"] for face, name in FACES.items() for key, part in manifest.items() if f"{name}-normal" in key
    }
