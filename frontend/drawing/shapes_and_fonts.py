"""Colours, fonts and anti-aliased shapes that all pictures share."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

MAX_CACHED_FONTS = 64

# the colours of the dark theme in frontend/ui/src/styles/tokens.css
PAGE, LIT, INK, SOFT, GOLD, LIVE = "#14121a", "#342f40", "#f0e9db", "#b0a7b8", "#dcb25a", "#ff8a7d"
SEATS = (
    *("#8fb0ff", "#ff7be6", "#4fdc8c", "#42dcff", "#ff5c50", "#ff9db4"),
    *("#c9c3d6", "#b48cff", "#ffffff", "#cfe24e", "#d98ccb", "#ffd9a0"),
)
SUPERSAMPLING = 4
"""Factor by which shapes are drawn larger and then scaled down, so that edges become smooth."""

BUILT_ASSETS = Path(__file__).parents[1] / "static/ui"
FONT_FILES = {"serif": "eb-garamond/files/eb-garamond-latin-wght", "sans": "inter/files/inter-latin-wght"}

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
Box = tuple[int, int, int, int]
Paint = Callable[[ImageDraw.ImageDraw, Box], None]


def choose_seat_colour(seat: int) -> str:
    """Return the colour of a seat. Games with more seats than colours use each colour several times."""
    return SEATS[seat % len(SEATS)]


def paint_smooth_shape(image: Image.Image, box: Box, colour: str, paint: Paint) -> None:
    """Paint an anti-aliased shape in one colour."""
    # `paint` draws on a canvas `SUPERSAMPLING` times as large as the box, which is then scaled down.
    width, height = (box[2] - box[0]) * SUPERSAMPLING, (box[3] - box[1]) * SUPERSAMPLING
    mask = Image.new("L", (width, height))
    paint(ImageDraw.Draw(mask), (0, 0, width - 1, height - 1))
    image.paste(colour, box[:2], mask.reduce(SUPERSAMPLING))


def find_fitting_font(text: str, face: str, size: int, min_size: int, weight: int, width: int) -> Font:
    """Return the largest font in which a text is at most `width` pixels wide."""
    # If no size from `size` down to `min_size` fits, the font has the size `min_size`.
    for points in range(size, min_size, -2):
        font = load_font(face, points, weight)
        if font.getlength(text) <= width:
            return font
    return load_font(face, min_size, weight)


def truncate_text(text: str, font: Font, width: int) -> str:
    """Return a text, shortened with an ellipsis if it is wider than `width` pixels."""
    if font.getlength(text) <= width:
        return text
    while text and font.getlength(text + "…") > width:
        text = text[:-1]
    return text + "…"


@lru_cache(MAX_CACHED_FONTS)
def load_font(face: str, size: int, weight: int) -> Font:
    """Return a font of the site: ``serif`` or ``sans``."""
    # If the frontend is not built or the font file is not readable, return Pillow's default font.
    path = find_built_fonts().get(face)
    if path is None:
        return ImageFont.load_default(size)
    try:
        font = ImageFont.truetype(BUILT_ASSETS / path, size)
        font.set_variation_by_axes([weight])
    except OSError:  # this FreeType cannot read WOFF2
        return ImageFont.load_default(size)
    return font


@lru_cache(1)
def find_built_fonts() -> dict[str, str]:
    """Return the path of each font file, by typeface; empty if the frontend is not built."""
    try:
        manifest = json.loads((BUILT_ASSETS / "manifest.json").read_text())
    except FileNotFoundError:
        return {}
    return {
        face: part["file"]
        for face, name in FONT_FILES.items()
        for key, part in manifest.items()
        if f"{name}-normal" in key
    }
