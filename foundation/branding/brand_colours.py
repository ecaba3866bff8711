"""Colours of a brand: its style sheet, with text colours that are readable on the brand's backgrounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MIN_CONTRAST: Final = 4.5
"""Minimum contrast of text and background (WCAG 2.2, success criterion 1.4.3)."""
MIN_INK_CONTRAST: Final = 7.0
"""Minimum contrast of the main text colour and the background (WCAG 2.2, success criterion 1.4.6)."""
MIX_STEPS: Final = 20
INK: Final = {"day": "#211b2b", "night": "#f0e9db"}
"""Main text colour of each theme.

The values of `INK`, `MUTED`, `BLACK` and `WHITE` equal those in `frontend/ui/src/styles/tokens.css`.
"""
MUTED: Final = {"soft": ("#635a6a", "#b0a7b8"), "faint": ("#786e7e", "#8d8497")}
BLACK, WHITE = "#1d1406", "#ffffff"


class InsufficientContrastError(ValueError):
    """Raised for a background on which text would be hard to read."""

    def __init__(self, time: str, colour: str) -> None:
        super().__init__(time, colour)
        self.time, self.colour = time, colour


@dataclass(frozen=True, slots=True)
class BrandColours:
    """Colours of the light theme (day) and of the dark theme (night), each as ``#rrggbb``."""

    accent_day: str = "#b8862b"
    accent_night: str = "#dcb25a"
    page_day: str = "#f7f2e8"
    page_night: str = "#14121a"


USUAL_COLOURS: Final = BrandColours()


def compute_contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2.2)."""
    light, dark = sorted((_compute_luminance(first), _compute_luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def check_colours(colours: BrandColours) -> None:
    """Raise InsufficientContrastError if the light theme's background is too dark or the dark theme's too light."""
    for time, page in (("day", colours.page_day), ("night", colours.page_night)):
        if compute_contrast(INK[time], page) < MIN_INK_CONTRAST:
            raise InsufficientContrastError(time, page)


def write_style_sheet(colours: BrandColours) -> str:
    """Return CSS that replaces the default colours by those of a brand; empty for the default colours."""
    if colours == USUAL_COLOURS:
        return ""
    day = _derive_tokens("day", colours.accent_day, colours.page_day)
    night = _derive_tokens("night", colours.accent_night, colours.page_night)
    lines = [f"  --{name}: light-dark({value}, {night[name]});" for name, value in day.items()]
    return "\n".join([":root:root {", *lines, "}", ""])


def _derive_tokens(time: str, accent: str, page: str) -> dict[str, str]:
    """Return the CSS custom properties of one theme, as a dict from name to colour."""
    ink, at = INK[time], ("day", "night").index(time)
    return {
        "page": page,
        "gold": accent,
        "gold-deep": _mix(accent, ink, 0.2),
        "gold-ink": _make_readable(accent, page, ink),
        "on-gold": max(BLACK, WHITE, key=lambda colour: compute_contrast(colour, accent)),
        "glow": f"{accent}21",
        **{name: _make_readable(usual[at], page, ink) for name, usual in MUTED.items()},
    }


def _make_readable(colour: str, page: str, ink: str) -> str:
    """Mix `colour` with the text colour `ink` until it is readable on the background `page`. Return the mix."""
    mixes = (_mix(colour, ink, step / MIX_STEPS) for step in range(MIX_STEPS + 1))
    return next((mix for mix in mixes if compute_contrast(mix, page) >= MIN_CONTRAST), ink)


def _mix(colour: str, other: str, share: float) -> str:
    """Mix two colours and return the result as ``#rrggbb``."""
    pairs = zip(_split_channels(colour), _split_channels(other), strict=True)
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


def _split_channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _compute_luminance(colour: str) -> float:
    """Return the relative luminance of a colour, from 0 to 1 (WCAG 2.2)."""
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in _split_channels(colour))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
