"""System check of the brand in Django's settings (logo and background colours), for `manage.py check`."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from foundation.branding.arena_brand import read_settings_brand
from foundation.branding.brand_colours import InsufficientContrastError, check_colours
from ftk_core.league.league_state import CommandRejected


@register()
def check_brand(**_: Any) -> list[CheckMessage]:
    """Report an unreadable logo, or a background on which text is hard to read."""
    try:
        check_colours(read_settings_brand().colours)
    except OSError as error:
        return [Error(f"FTK_BRAND_LOGO: {settings.BRAND_LOGO} cannot be read: {error.strerror}", id="branding.E001")]
    except CommandRejected as error:
        return [Error(f"FTK_BRAND_LOGO: {settings.BRAND_LOGO}: {error}", id="branding.E001")]
    except InsufficientContrastError as error:
        hint = "Choose a lighter colour." if error.time == "day" else "Choose a darker colour."
        return [
            Error(
                f"FTK_BRAND_PAGE: text is hard to read on {error.colour} by {error.time}", hint=hint, id="branding.E002"
            )
        ]
    return []
