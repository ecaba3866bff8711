"""Site name, logo and colours for generated pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO

from PIL import Image

from foundation.branding.arena_brand import read_brand
from frontend.drawing.shapes_and_fonts import GOLD, PAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureBranding:
    """The site's name, logo and colours (those of the dark theme), for generated pictures."""

    name: str = ""
    accent: str = GOLD
    page: str = PAGE
    logo_digest: str = ""
    """Hash of the logo, from which the ETag of a picture is computed; empty for the default logo, a crown."""
    logo: bytes = field(default=b"", repr=False)
    """Content of the logo's PNG file; empty for the default logo, a crown."""


USUAL_BRAND = PictureBranding()
"""Brand with the default colours and logo (a crown), without a name."""


def read_picture_brand() -> PictureBranding:
    """Return the current name, logo and colours of the site, for generated pictures."""
    brand = read_brand()
    return PictureBranding(
        name=brand.name,
        accent=brand.colours.accent_night,
        page=brand.colours.page_night,
        logo_digest=brand.logo_digest,
        logo=brand.logo,
    )


def open_logo(brand: PictureBranding, size: int) -> Image.Image:
    """Return the logo, with transparency, scaled to fit a square of `size` pixels."""
    with Image.open(BytesIO(brand.logo), formats=["PNG"]) as stored:
        logo = stored.convert("RGBA")
    factor = size / max(logo.size)
    return logo.resize((max(1, round(logo.width * factor)), max(1, round(logo.height * factor))))
