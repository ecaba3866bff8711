"""Picture of the table at one moment of a match, for links: the same scene that the viewer draws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import BytesIO

import PIL
from PIL import Image, ImageDraw

from frontend.drawing.ink import GOLD, INK, PAGE, SEATS, SOFT, Box, built, cut, fitting, font_of
from frontend.drawing.laying import ZonePlan, heading, lay
from frontend.drawing.pieces import paint
from ftk_core.scene import Scene, Zone

SIZE = WIDTH, HEIGHT = 1200, 630
LARGE = 2
"""Factor of supersampling for smooth edges."""
EDITION = 1
"""Version of the drawing, part of the fingerprint; increase it with every change."""
KEPT = 64
"""Size of the picture cache, some 60 kB each."""
FELT, PLATE, LINE = "#221e2c", "#1d1a25", "#3a3447"
"""Colours of the table, of a seat, and of their edges."""
MARGIN, GAP, NAME = 40, 20, 44
HEAD, FOOT = 96, 1136
"""Vertical bounds of the table."""
UNITS = tuple(range(180, 36, -8))
"""Possible widths of a card; the first that fits is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Content of the picture: the public view after one frame of a match."""

    game: str
    """Registered name of the game, for the colours of its pieces."""
    title: str
    """Title of the game."""
    names: tuple[str, ...]
    """Players by seat."""
    at: int
    """Number of the frame, as in the viewer."""
    say: str
    """Sentence of the event."""
    scene: Scene


@dataclass(frozen=True, slots=True)
class Spread:
    """Zones laid out together, with their corners and total height."""

    zones: tuple[tuple[Zone, ZonePlan, int, int], ...]
    height: int


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Layout of the table for one width of cards."""

    middle: Spread
    places: dict[int, Spread]
    """By seat."""
    rows: tuple[int, int]
    """Heights of the far and the near side."""
    spare: int
    """Remaining height; negative if the layout does not fit."""


def fingerprint(moment: Moment) -> str:
    """Return a hash that identifies a picture byte for byte."""
    return sha256(repr((EDITION, PIL.__version__, built(), moment)).encode()).hexdigest()[:32]


@lru_cache(KEPT)
def draw(moment: Moment) -> bytes:
    """Return the picture as a PNG file."""
    file = BytesIO()
    painted(moment).reduce(LARGE).save(file, "PNG")
    return file.getvalue()


def painted(moment: Moment) -> Image.Image:
    """Return the picture on its large canvas, 2400 by 1260 pixels."""
    image = Image.new("RGB", (WIDTH * LARGE, HEIGHT * LARGE), PAGE)
    ink = ImageDraw.Draw(image)
    title, small = font_of("serif", 60, 600), font_of("sans", 32, 500)
    ink.text((MARGIN, HEAD // 2), moment.title, INK, title, anchor="lm")
    ink.text((WIDTH * LARGE - MARGIN, HEAD // 2), f"{moment.at} · The Court", SOFT, small, anchor="rm")
    ink.rounded_rectangle((MARGIN // 2, HEAD, WIDTH * LARGE - MARGIN // 2, FOOT), 36, FELT, LINE, 3)
    _table(ink, moment)
    room = WIDTH * LARGE - 2 * MARGIN
    font = fitting(moment.say, "serif", 50, 34, 500, room)
    ink.text((WIDTH * LARGE / 2, (FOOT + HEIGHT * LARGE) / 2), cut(moment.say, font, room), INK, font, anchor="mm")
    return image


def _table(ink: ImageDraw.ImageDraw, moment: Moment) -> None:
    """Paint the far seats, the common zones, and the near seats, as large as possible."""
    far, near = _sides(len(moment.names))
    *larger, smallest = UNITS
    plan = next((plan for unit in larger if (plan := _plan(moment, unit)).spare >= 4 * GAP), None)
    plan = plan or _plan(moment, smallest)
    top, (above, below) = HEAD + GAP, plan.rows
    _side(ink, moment, far, plan.places, (top, above))
    _zones(ink, moment.game, plan.middle, 2 * MARGIN, top + above + plan.spare // 2)
    _side(ink, moment, near, plan.places, (FOOT - GAP - below, below))


def _plan(moment: Moment, unit: int) -> TablePlan:
    """Lay out the whole table for this width of cards."""
    sides = _sides(len(moment.names))
    middle = _spread([zone for zone in moment.scene.zones if zone.seat is None], unit, WIDTH * LARGE - 4 * MARGIN)
    places = {seat: _place(moment.scene, seat, unit, len(side)) for side in sides for seat in side}
    above, below = (max((places[seat].height for seat in side), default=0) for side in sides)
    spare = FOOT - HEAD - 2 * GAP - above - below - middle.height
    return TablePlan(middle, places, (above, below), spare)


def _sides(seats: int) -> tuple[list[int], list[int]]:
    """Return the seats of the far and the near side, left to right: clockwise round the table, as in the viewer."""
    near = seats // 2
    return list(range(near, seats)), list(range(near))[::-1]


def _width(seats: int) -> int:
    """Return the width of each place on a side with this many seats."""
    return min(1100, (WIDTH * LARGE - 2 * MARGIN - (seats - 1) * GAP) // seats)


def _place(scene: Scene, seat: int, unit: int, beside: int) -> Spread:
    """Lay out the zones of a seat that shares its side of the table with others."""
    spread = _spread([zone for zone in scene.zones if zone.seat == seat], unit, _width(beside) - 2 * GAP, left=True)
    return Spread(spread.zones, spread.height + NAME + NAME + GAP)


def _spread(zones: list[Zone], unit: int, room: int, *, left: bool = False) -> Spread:
    """Lay out zones in rows of the given width, centred or left-aligned."""
    rows: list[list[tuple[Zone, ZonePlan]]] = [[]]
    used = 0
    for zone in zones:
        laid = lay(zone, unit, room)
        if rows[-1] and used + laid.width > room:
            rows.append([])
            used = 0
        rows[-1].append((zone, laid))
        used += laid.width + 2 * GAP
    spots, y = [], 0
    for row in rows:
        x = 0 if left else (room - sum(laid.width for _, laid in row) - 2 * GAP * (len(row) - 1)) // 2
        for zone, laid in row:
            spots.append((zone, laid, x, y))
            x += laid.width + 2 * GAP
        y += max((laid.height for _, laid in row), default=0) + GAP
    return Spread(tuple(spots), y)


def _side(
    ink: ImageDraw.ImageDraw, moment: Moment, seats: list[int], places: dict[int, Spread], row: tuple[int, int]
) -> None:
    """Paint the places of one side of the table; `row` is its top and its height."""
    width, (top, height) = _width(len(seats) or 1), row
    x = (WIDTH * LARGE - len(seats) * (width + GAP) + GAP) // 2
    for seat in seats:
        _seat(ink, moment, seat, (x, top, x + width, top + height))
        _zones(ink, moment.game, places[seat], x + GAP, top + 2 * NAME)
        x += width + GAP


def _seat(ink: ImageDraw.ImageDraw, moment: Moment, seat: int, box: Box) -> None:
    """Paint a place without its zones: the player, the meters, and a mark if an answer is due."""
    acts = seat in moment.scene.to_act
    ink.rounded_rectangle(box, 24, PLATE, GOLD if acts else LINE, 6 if acts else 3)
    x, y, room = box[0] + GAP, box[1] + 34, box[2] - box[0] - 2 * GAP - 40
    ink.ellipse((x, y - 13, x + 26, y + 13), SEATS[seat])
    font = fitting(moment.names[seat], "sans", 34, 22, 600, room)
    ink.text((x + 40, y), cut(moment.names[seat], font, room), INK, font, anchor="lm")
    counted = " · ".join(_counted(moment.scene, seat))
    ink.text(
        (x, y + 38), cut(counted, font_of("sans", 24, 500), room + 40), SOFT, font_of("sans", 24, 500), anchor="lm"
    )


def _counted(scene: Scene, seat: int) -> Iterator[str]:
    """Yield the meters of a seat as text."""
    for meter in scene.meters:
        if seat < len(meter.values):
            yield f"{meter.label} {meter.values[seat]}"


def _zones(ink: ImageDraw.ImageDraw, game: str, spread: Spread, x: int, y: int) -> None:
    """Paint zones, each under its heading."""
    font = font_of("sans", 24, 500)
    for zone, laid, right, down in spread.zones:
        ink.text((x + right, y + down), cut(heading(zone), font, max(laid.width, 1)), SOFT, font)
        for piece, box in laid.pieces:
            paint(ink, piece, (box[0] + x + right, box[1] + y + down, box[2] + x + right, box[3] + y + down), game)
