"""Preview pictures for links to pages."""
# The picture of a match shows the game and the players, but never the result.

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import BytesIO

import PIL
from PIL import Image, ImageDraw

from frontend.drawing.picture_branding import USUAL_BRAND, PictureBranding, open_logo
from frontend.drawing.shapes_and_fonts import (
    INK,
    LIT,
    LIVE,
    SOFT,
    SUPERSAMPLING,
    Box,
    Font,
    choose_seat_colour,
    find_built_fonts,
    find_fitting_font,
    load_font,
    paint_smooth_shape,
    truncate_text,
)

SIZE = WIDTH, HEIGHT = 1200, 630
DRAWING_VERSION = 3
"""Version of the drawing code, from which a picture's ETag is computed; increase it with each change of the drawing."""
MAX_CACHED_POSTERS = 64
"""Maximum number of cached pictures, of about 50 kB each."""

CROWN = ((2.5, 7.2), (7.5, 11.4), (12, 3.5), (16.5, 11.4), (21.5, 7.2), (19.5, 17.5), (4.5, 17.5))
BAND = ((4.7, 19), (19.3, 19), (19.3, 21), (4.7, 21))
"""Polygons of the default logo, in a box of 24 by 24 units: the crown (`CROWN`), and the band below it (`BAND`)."""

EDGE, MARGIN, GAP = 26, 84, 28
MAX_DESCRIPTION_LINES = 3
MAX_NAME_WIDTH = 620
"""Maximum width in pixels of the arena's name, which leaves room for the state of a match in the right corner."""
LAST_LATIN_1 = 0xFF
DRAWABLE_PUNCTUATION = "–—‘’“”…"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPreviewContent:
    """Content of a match's preview picture, without the result."""

    title: str
    """Title of the game."""
    players: tuple[str, ...]
    """Names of the players, by seat."""
    state: str
    """State of the match in words, such as ``Live now``."""
    live: bool = False
    """True while the match is being played."""
    brand: PictureBranding = USUAL_BRAND


@dataclass(frozen=True, slots=True)
class PagePreviewContent:
    """Content of the preview picture of a page that is not about a match."""

    title: str
    description: str
    brand: PictureBranding = USUAL_BRAND


Preview = MatchPreviewContent | PagePreviewContent


def compute_fingerprint(poster: Preview) -> str:
    """Return a hash of everything that determines the bytes of a preview picture, for the ETag."""
    return sha256(repr((DRAWING_VERSION, PIL.__version__, find_built_fonts(), poster)).encode()).hexdigest()[:32]


@lru_cache(MAX_CACHED_POSTERS)
def draw_poster(poster: MatchPreviewContent) -> bytes:
    """Return the preview picture of a match as a PNG file."""
    columns = 2 if len(poster.players) <= 6 else 3
    rows = -(-len(poster.players) // columns)
    top = 262 + 20 * max(0, 4 - rows)  # a list of few players is placed lower, to look balanced
    image = _paint_title(poster.title, top, poster.brand)
    _paint_state(image, poster)
    _paint_players(image, poster.players, columns, top + 104)
    return _encode_png(image)


@lru_cache(MAX_CACHED_POSTERS)
def draw_page_poster(poster: PagePreviewContent) -> bytes:
    """Return the preview picture of a page as a PNG file."""
    # The fonts have only Latin letters: a title with other letters is replaced by the site's name, and a description
    # with other letters is left out.
    title = poster.title if _is_drawable(poster.title) else poster.brand.name
    image = _paint_title(title, 300, poster.brand)
    if _is_drawable(poster.description):
        font, room = load_font("sans", 38, 500), WIDTH - 2 * MARGIN
        for row, line in enumerate(_wrap(poster.description, font, room)[:MAX_DESCRIPTION_LINES]):
            ImageDraw.Draw(image).text((MARGIN, 404 + 56 * row), line, INK, font, anchor="lm")
    return _encode_png(image)


def _is_drawable(text: str) -> bool:
    """Return True if the fonts of the pictures can show a text."""
    # The fonts have only Latin letters.
    return all(ord(letter) <= LAST_LATIN_1 or letter in DRAWABLE_PUNCTUATION for letter in text)


def _wrap(text: str, font: Font, width: int) -> list[str]:
    """Break a text between words into lines of limited width in pixels."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return [truncate_text(line, font, width) for line in lines]


def _paint_title(text: str, top: int, brand: PictureBranding) -> Image.Image:
    """Return a new picture with the site's logo and name, and a title."""
    # `top` is the vertical position of the title's baseline in pixels.
    image = _paint_background(brand).copy()
    ink, room = ImageDraw.Draw(image), WIDTH - 2 * MARGIN
    _paint_logo(image, (MARGIN, 74), 46, brand)
    if _is_drawable(brand.name):
        font = load_font("serif", 40, 600)
        name = truncate_text(brand.name, font, MAX_NAME_WIDTH)
        ink.text((MARGIN + 62, 98), name, INK, font, anchor="lm")
    text = text if _is_drawable(text) else ""
    title = find_fitting_font(text, "serif", 104, 56, 600, room)
    ink.text((MARGIN, top), truncate_text(text, title, room), INK, title, anchor="ls")
    ink.rectangle((MARGIN, top + 44, MARGIN + 96, top + 47), brand.accent)
    return image


def _encode_png(image: Image.Image) -> bytes:
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@lru_cache(2)
def _paint_background(brand: PictureBranding) -> Image.Image:
    """Return the background picture."""
    light = (
        Image.radial_gradient("L").resize((WIDTH * 5 // 4, HEIGHT * 2)).crop((0, HEIGHT // 2, WIDTH, HEIGHT * 3 // 2))
    )
    image = Image.composite(Image.new("RGB", SIZE, brand.page), Image.new("RGB", SIZE, LIT), light)
    _paint_logo(image, (WIDTH - 540, 84), 500, brand, 14)
    box = (EDGE, EDGE, WIDTH - EDGE, HEIGHT - EDGE)
    paint_smooth_shape(
        image,
        box,
        brand.accent,
        lambda ink, end: ink.rounded_rectangle(end, 22 * SUPERSAMPLING, outline=96, width=2 * SUPERSAMPLING),
    )
    return image


def _paint_logo(
    image: Image.Image, at: tuple[int, int], size: int, brand: PictureBranding, strength: int = 255
) -> None:
    """Draw the site's logo, by default a crown."""
    # `strength` is its opacity up to 255.
    if brand.logo:
        logo = open_logo(brand, size)
        image.paste(logo, at, logo.getchannel("A").point([alpha * strength // 255 for alpha in range(256)]))
        return

    def paint(ink: ImageDraw.ImageDraw, _end: Box) -> None:
        for shape in (CROWN, BAND):
            ink.polygon(
                [(x * size * SUPERSAMPLING / 24, y * size * SUPERSAMPLING / 24) for x, y in shape], fill=strength
            )

    paint_smooth_shape(image, (*at, at[0] + size, at[1] + size), brand.accent, paint)


def _paint_state(image: Image.Image, poster: MatchPreviewContent) -> None:
    """Write the state of the match, such as ``Live now``, in the upper right corner."""
    font, colour = load_font("sans", 25, 600), LIVE if poster.live else SOFT
    right, middle = WIDTH - MARGIN, 98
    left = right - round(font.getlength(poster.state)) - 44
    box = (left, middle - 25, right, middle + 25)
    paint_smooth_shape(
        image,
        box,
        colour,
        lambda ink, end: ink.rounded_rectangle(end, 25 * SUPERSAMPLING, outline=255, width=2 * SUPERSAMPLING),
    )
    ImageDraw.Draw(image).text((left + 22, middle), poster.state, colour, font, anchor="lm")


def _paint_players(image: Image.Image, players: tuple[str, ...], columns: int, top: int) -> None:
    """Write the names of the players, in the order of their seats."""
    step, row = (WIDTH - 2 * MARGIN + GAP) // columns, 76 if columns == 2 else 57
    ink = ImageDraw.Draw(image)
    for seat, name in enumerate(players):
        x, y = MARGIN + seat % columns * step, top + seat // columns * row
        colour = choose_seat_colour(seat)
        paint_smooth_shape(image, (x, y - 11, x + 22, y + 11), colour, lambda pen, end: pen.ellipse(end, fill=255))
        room = step - GAP - 38
        font = find_fitting_font(name, "sans", 38 if columns == 2 else 30, 21, 500, room)
        ink.text((x + 38, y), truncate_text(name, font, room), INK, font, anchor="lm")
