"""Colours that mark the seats: visible by day and by night, unlike all colours of pieces and unlike each other."""

from __future__ import annotations

import math
import re
from itertools import combinations
from pathlib import Path

import pytest

from foundation.branding.brand_colours import compute_contrast
from frontend.drawing.shapes_and_fonts import SEATS

TOKENS = Path("frontend/ui/src/styles/tokens.css").read_text()
PIECES = ("blue", "red", "rose", "green", "violet", "orange", "ochre", "bronze", "teal")
MIN_CONTRAST = 3
"""Least contrast of graphical objects (WCAG 2.2, success criterion 1.4.11)."""
MIN_DISTANCE_TO_PIECES, MIN_DISTANCE_TO_SEATS = 0.08, 0.05
"""Least distances in Oklab; 0.02 is just noticeable."""
Channels = tuple[float, float, float]


def colours_of(name: str) -> list[str]:
    """Return the hexadecimal colours of a design token: by day, and by night if it differs."""
    value = re.search(rf"--{name}: ([^;]*);", TOKENS)
    assert value, name
    return re.findall(r"#[0-9a-f]{6}", value[1])


def linear_channels(colour: str) -> Channels:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _linear(red), _linear(green), _linear(blue)


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def oklab(colour: str) -> Channels:
    """Return a colour in Oklab, in which equal distances look alike (Ottosson 2020)."""
    red, green, blue = linear_channels(colour)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    medium = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
    )


BY_DAY, BY_NIGHT = zip(*(colours_of(f"seat-{seat}") for seat in range(12)), strict=True)
EACH_TIME = pytest.mark.parametrize("time", [0, 1], ids=["day", "night"])


@EACH_TIME
@pytest.mark.parametrize("ground", ["page", "surface", "table"])
def test_every_seat_colour_has_sufficient_contrast_with_the_background(ground: str, time: int) -> None:
    behind = colours_of(ground)[time]
    assert [colour for colour in (BY_DAY, BY_NIGHT)[time] if compute_contrast(colour, behind) < MIN_CONTRAST] == []


@EACH_TIME
def test_no_seat_colour_resembles_the_colour_of_a_game_piece_or_of_another_seat(time: int) -> None:
    seats = (BY_DAY, BY_NIGHT)[time]
    for name in PIECES:
        (piece,) = colours_of(name)
        assert [seat for seat in seats if math.dist(oklab(seat), oklab(piece)) < MIN_DISTANCE_TO_PIECES] == [], name
    pairs = combinations(seats, 2)
    assert [pair for pair in pairs if math.dist(*map(oklab, pair)) < MIN_DISTANCE_TO_SEATS] == []


def test_server_rendered_pictures_use_the_seat_colours_of_the_dark_theme_of_the_viewer() -> None:
    assert SEATS == BY_NIGHT
