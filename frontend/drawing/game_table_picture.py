"""Picture of the game table at one moment of a match."""
# The table consists of areas (zones), such as a player's hand. Areas that contain texts are left out.

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import BytesIO

import PIL
from PIL import Image, ImageDraw

from frontend.drawing.game_piece_layout import SceneZoneLayout, describe_zone, lay_out_zone
from frontend.drawing.game_piece_painting import paint_piece
from frontend.drawing.picture_branding import USUAL_BRAND, PictureBranding
from frontend.drawing.shapes_and_fonts import (
    INK,
    SOFT,
    Box,
    choose_seat_colour,
    find_built_fonts,
    find_fitting_font,
    load_font,
    truncate_text,
)
from ftk_core.views.scene import SceneZone, TableScene

SIZE = WIDTH, HEIGHT = 1200, 630
SUPERSAMPLING = 2
"""Factor by which the canvas is larger than the picture, so that edges become smooth."""
DRAWING_VERSION = 2
"""Version of the drawing code, from which a picture's ETag is computed; increase it with each change of the drawing."""
MAX_CACHED_PICTURES = 64
"""Maximum number of cached pictures, of about 60 kB each."""
FELT, PLATE, LINE = "#221e2c", "#1d1a25", "#3a3447"
"""Colours of the table, of a seat, and of the outlines of both."""
MARGIN, GAP, NAME = 40, 20, 44
HEAD, FOOT = 96, 1136
"""Upper and lower edge of the table, in pixels of the canvas."""
LAYOUTS_OF_TEXTS = ("lines", "list", "ring")
"""Layouts of zones that contain texts; table pictures leave out the zones with these layouts."""
CARD_WIDTHS = tuple(range(180, 36, -8))
"""Possible widths of a card in pixels; the first one that fits is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTablePictureContent:
    """Content of a picture of the game table after one frame (event) of a match, as the public sees it."""

    game: str
    """Registered name of the game, which determines the colours of the pieces."""
    title: str
    """Title of the game."""
    names: tuple[str, ...]
    """Names of the players, by seat."""
    at: int
    """Number of the frame in the match, counted from 0."""
    say: str
    """Sentence that describes the event of the frame."""
    scene: TableScene
    brand: PictureBranding = USUAL_BRAND


@dataclass(frozen=True, slots=True)
class SceneZoneGroupLayout:
    """Positions of one player's areas of the table, or of the areas that all players share."""

    # Each of `zones` is (zone, layout of its pieces, x, y), relative to the upper left corner of the group.

    zones: tuple[tuple[SceneZone, SceneZoneLayout, int, int], ...]
    height: int


@dataclass(frozen=True, slots=True)
class GameTableLayout:
    """Layout of the whole table for cards of a given width."""

    middle: SceneZoneGroupLayout
    places: dict[int, SceneZoneGroupLayout]
    """Zones that belong to each seat, by seat; `middle` holds the zones that belong to no seat."""
    rows: tuple[int, int]
    """Heights of the seats on the far side and on the near side of the table."""
    spare: int
    """Height that is left over; negative if the layout does not fit."""


def compute_fingerprint(moment: GameTablePictureContent) -> str:
    """Return a hash of everything that determines the bytes of a table picture, for the ETag."""
    return sha256(repr((DRAWING_VERSION, PIL.__version__, find_built_fonts(), moment)).encode()).hexdigest()[:32]


@lru_cache(MAX_CACHED_PICTURES)
def draw_table(moment: GameTablePictureContent) -> bytes:
    """Draw the game table at one moment of a match; return a PNG file."""
    file = BytesIO()
    paint_canvas(moment).reduce(SUPERSAMPLING).save(file, "PNG")
    return file.getvalue()


def paint_canvas(moment: GameTablePictureContent) -> Image.Image:
    """Return the table picture in double size: 2400 by 1260 pixels."""
    # `draw_table` scales it down.
    image = Image.new("RGB", (WIDTH * SUPERSAMPLING, HEIGHT * SUPERSAMPLING), moment.brand.page)
    ink = ImageDraw.Draw(image)
    title, small = load_font("serif", 60, 600), load_font("sans", 32, 500)
    ink.text((MARGIN, HEAD // 2), moment.title, INK, title, anchor="lm")
    corner = f"{moment.at} · {moment.brand.name}" if moment.brand.name else str(moment.at)
    ink.text((WIDTH * SUPERSAMPLING - MARGIN, HEAD // 2), corner, SOFT, small, anchor="rm")
    ink.rounded_rectangle((MARGIN // 2, HEAD, WIDTH * SUPERSAMPLING - MARGIN // 2, FOOT), 36, FELT, LINE, 3)
    _paint_table(ink, moment)
    room = WIDTH * SUPERSAMPLING - 2 * MARGIN
    font = find_fitting_font(moment.say, "serif", 50, 34, 500, room)
    ink.text(
        (WIDTH * SUPERSAMPLING / 2, (FOOT + HEIGHT * SUPERSAMPLING) / 2),
        truncate_text(moment.say, font, room),
        INK,
        font,
        anchor="mm",
    )
    return image


def _paint_table(ink: ImageDraw.ImageDraw, moment: GameTablePictureContent) -> None:
    """Paint the players on both sides of the table, and the shared areas between them."""
    # With the widest cards for which all of this fits.
    far, near = _split_seats(len(moment.names))
    *larger, smallest = CARD_WIDTHS
    plan = next((plan for unit in larger if (plan := _plan_table(moment, unit)).spare >= 4 * GAP), None)
    plan = plan or _plan_table(moment, smallest)
    top, (above, below) = HEAD + GAP, plan.rows
    _paint_side(ink, moment, far, plan.places, (top, above))
    _paint_zones(ink, moment.game, plan.middle, 2 * MARGIN, top + above + plan.spare // 2)
    _paint_side(ink, moment, near, plan.places, (FOOT - GAP - below, below))


def _plan_table(moment: GameTablePictureContent, unit: int) -> GameTableLayout:
    """Return the layout of the whole table with cards that are `unit` pixels wide."""
    sides = _split_seats(len(moment.names))
    zones = [zone for zone in moment.scene.zones if zone.seat is None and zone.layout not in LAYOUTS_OF_TEXTS]
    middle = _arrange_zones(zones, unit, WIDTH * SUPERSAMPLING - 4 * MARGIN)
    places = {seat: _plan_place(moment.scene, seat, unit, len(side)) for side in sides for seat in side}
    above, below = (max((places[seat].height for seat in side), default=0) for side in sides)
    spare = FOOT - HEAD - 2 * GAP - above - below - middle.height
    return GameTableLayout(middle, places, (above, below), spare)


def _split_seats(seats: int) -> tuple[list[int], list[int]]:
    """Return the seats on the far side and on the near side of the table, from left to right."""
    # Seats are numbered clockwise, from the right of the near side.
    near = seats // 2
    return list(range(near, seats)), list(range(near))[::-1]


def _compute_place_width(seats: int) -> int:
    """Return the width in pixels of each seat's area on a side of the table with `seats` seats."""
    return min(1100, (WIDTH * SUPERSAMPLING - 2 * MARGIN - (seats - 1) * GAP) // seats)


def _plan_place(scene: TableScene, seat: int, unit: int, neighbours: int) -> SceneZoneGroupLayout:
    """Return the layout of one seat's areas, such as a hand."""
    spread = _arrange_zones(
        [zone for zone in scene.zones if zone.seat == seat], unit, _compute_place_width(neighbours) - 2 * GAP, left=True
    )
    return SceneZoneGroupLayout(spread.zones, spread.height + NAME + NAME + GAP)


def _arrange_zones(zones: list[SceneZone], unit: int, width: int, *, left: bool = False) -> SceneZoneGroupLayout:
    """Arrange areas of the table (zones) in rows of at most `width` pixels.

    The rows are left-aligned if `left` is True, else centred.
    """
    rows: list[list[tuple[SceneZone, SceneZoneLayout]]] = [[]]
    used = 0
    for zone in zones:
        laid = lay_out_zone(zone, unit, width)
        if rows[-1] and used + laid.width > width:
            rows.append([])
            used = 0
        rows[-1].append((zone, laid))
        used += laid.width + 2 * GAP
    spots, y = [], 0
    for row in rows:
        x = 0 if left else (width - sum(laid.width for _, laid in row) - 2 * GAP * (len(row) - 1)) // 2
        for zone, laid in row:
            spots.append((zone, laid, x, y))
            x += laid.width + 2 * GAP
        y += max((laid.height for _, laid in row), default=0) + GAP
    return SceneZoneGroupLayout(tuple(spots), y)


def _paint_side(
    ink: ImageDraw.ImageDraw,
    moment: GameTablePictureContent,
    seats: list[int],
    places: dict[int, SceneZoneGroupLayout],
    row: tuple[int, int],
) -> None:
    """Paint the seats on one side of the table."""
    # `row` is (y of the upper edge, height) of their areas.
    width, (top, height) = _compute_place_width(len(seats) or 1), row
    x = (WIDTH * SUPERSAMPLING - len(seats) * (width + GAP) + GAP) // 2
    for seat in seats:
        _paint_seat(ink, moment, seat, (x, top, x + width, top + height))
        _paint_zones(ink, moment.game, places[seat], x + GAP, top + 2 * NAME)
        x += width + GAP


def _paint_seat(ink: ImageDraw.ImageDraw, moment: GameTablePictureContent, seat: int, box: Box) -> None:
    """Paint a player's name and counters, and mark the player who must act."""
    acts = seat in moment.scene.to_act
    ink.rounded_rectangle(box, 24, PLATE, moment.brand.accent if acts else LINE, 6 if acts else 3)
    x, y, room = box[0] + GAP, box[1] + 34, box[2] - box[0] - 2 * GAP - 40
    ink.ellipse((x, y - 13, x + 26, y + 13), choose_seat_colour(seat))
    font = find_fitting_font(moment.names[seat], "sans", 34, 22, 600, room)
    ink.text((x + 40, y), truncate_text(moment.names[seat], font, room), INK, font, anchor="lm")
    counted = " · ".join(_list_meters(moment.scene, seat))
    ink.text(
        (x, y + 38),
        truncate_text(counted, load_font("sans", 24, 500), room + 40),
        SOFT,
        load_font("sans", 24, 500),
        anchor="lm",
    )


def _list_meters(scene: TableScene, seat: int) -> Iterator[str]:
    """Yield the counters of a seat as text, such as "points 12"."""
    for meter in scene.meters:
        if seat < len(meter.values):
            yield f"{meter.label} {meter.values[seat]}"


def _paint_zones(ink: ImageDraw.ImageDraw, game: str, spread: SceneZoneGroupLayout, x: int, y: int) -> None:
    """Paint some areas of the table with their headings and pieces."""
    font = load_font("sans", 24, 500)
    for zone, laid, right, down in spread.zones:
        ink.text((x + right, y + down), truncate_text(describe_zone(zone), font, max(laid.width, 1)), SOFT, font)
        for piece, box in laid.pieces:
            paint_piece(
                ink, piece, (box[0] + x + right, box[1] + y + down, box[2] + x + right, box[3] + y + down), game
            )
