"""Every palette that a brand may choose keeps texts readable."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, reject, strategies as st

from foundation.branding.brand_colours import (
    INK,
    MIN_CONTRAST,
    MUTED,
    USUAL_COLOURS,
    BrandColours,
    InsufficientContrastError,
    check_colours,
    compute_contrast,
    write_style_sheet,
)

COLOURS = st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)
LIGHT = st.from_regex(r"#([b-f][0-9a-f]){3}", fullmatch=True)
DARK = st.from_regex(r"#([0-4][0-9a-f]){3}", fullmatch=True)


@pytest.mark.slow
@given(COLOURS, COLOURS, LIGHT, DARK)
def test_every_accepted_brand_palette_gives_texts_sufficient_contrast(
    accent: str, other: str, day: str, night: str
) -> None:
    colours = BrandColours(accent, other, day, night)
    try:
        check_colours(colours)
    except InsufficientContrastError:
        reject()
    tokens = dict(line.strip().removeprefix("--").split(": ") for line in write_style_sheet(colours).splitlines()[1:-1])
    for at, (time, page) in enumerate((("day", day), ("night", night))):
        for name in ("gold-ink", "soft", "faint"):
            colour = tokens[name].removeprefix("light-dark(").removesuffix(");").split(", ")[at]
            assert compute_contrast(colour, page) >= MIN_CONTRAST
        assert compute_contrast(INK[time], page) >= 7


def test_the_default_brand_colours_in_the_code_equal_those_in_the_style_sheet() -> None:
    tokens = Path("frontend/ui/src/styles/tokens.css").read_text()
    usual = {"gold": (USUAL_COLOURS.accent_day, USUAL_COLOURS.accent_night), "ink": (INK["day"], INK["night"]), **MUTED}
    usual["page"] = (USUAL_COLOURS.page_day, USUAL_COLOURS.page_night)
    assert [
        name for name, (day, night) in usual.items() if f"--{name}: light-dark({day}, {night});" not in tokens
    ] == []


def test_the_computed_contrast_ratio_of_black_and_white_is_21() -> None:
    assert compute_contrast("#ffffff", "#000000") == pytest.approx(21)
    assert compute_contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)
