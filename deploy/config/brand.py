"""Settings of the site's own name, texts, colours and logo. Staff may replace each at `/staff/branding/brand/`."""

from __future__ import annotations

import re

from django.core.exceptions import ImproperlyConfigured

from deploy.environment import env
from foundation.branding import USUAL_NAME

TEXTS = {
    "footer": "FTK_BRAND_FOOTER",
    "imprint": "FTK_BRAND_IMPRINT",
    "privacy": "FTK_BRAND_PRIVACY",
    "mail_sender": "FTK_BRAND_SENDER",
}
COLOURS = {"accent": "FTK_BRAND_ACCENT", "page": "FTK_BRAND_PAGE"}
COLOUR_PAIR = re.compile(r"(#[0-9a-fA-F]{6}) (#[0-9a-fA-F]{6})")


def read_brand_settings() -> tuple[dict[str, str], str, float]:
    """Return the brand's texts and colours, the path of its logo, and the seconds for which a process caches the brand.

    If the seconds are 0, the site ignores the brand that staff have set. Raises ImproperlyConfigured for an invalid
    colour.
    """
    name = env.str("FTK_BRAND_NAME", default="") or USUAL_NAME
    texts = {field: env.str(variable, default="") for field, variable in TEXTS.items()}
    logo, seconds = env.str("FTK_BRAND_LOGO", default=""), env.float("FTK_BRAND_SECONDS", default=5.0)
    return {"name": name, **texts, **_read_colours()}, logo, seconds


def _read_colours() -> dict[str, str]:
    colours: dict[str, str] = {}
    for part, variable in COLOURS.items():
        value = env.str(variable, default="")
        pair = COLOUR_PAIR.fullmatch(value)
        if value and not pair:
            raise ImproperlyConfigured(
                f"{variable} must be two colours, by day and by night, like '#b8862b #dcb25a', not {value[:40]!r}"
            )
        if pair:
            colours |= {f"{part}_day": pair[1], f"{part}_night": pair[2]}
    return colours
