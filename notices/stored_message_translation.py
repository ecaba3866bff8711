"""Messages that are stored as gettext ids with values, and translated when shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, override

PlaceholderValues = Mapping[str, Any]
"""Text or number for each placeholder; a (pattern, values) pair is a nested message, which is translated too."""


def translate_pattern(pattern: str, values: PlaceholderValues) -> str:
    """Return a stored message in the active language, or in English if it has no translation.

    >>> translate_pattern("Round %(round)s ended.", {"round": 3})
    'Round 3 ended.'
    """
    if not values:
        return gettext(pattern) if pattern else ""
    rendered = {
        name: translate_pattern(*value) if isinstance(value, list | tuple) else value for name, value in values.items()
    }
    return gettext(pattern) % rendered


def render_in_english(pattern: str, values: PlaceholderValues) -> str:
    """Return a stored message in English, for programs and data exports."""
    with override("en"):
        return translate_pattern(pattern, values)
