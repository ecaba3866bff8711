"""Stored sentences that are translated when shown: a pattern and its values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, override

Words = Mapping[str, Any]
"""Text or number by placeholder; a pair of a pattern and its own words is a nested sentence."""


def say(pattern: str, words: Words) -> str:
    """Return a sentence in the active language; an unknown pattern is not translated.

    >>> say("Round %(round)s ended.", {"round": 3})
    'Round 3 ended.'
    """
    if not words:
        return gettext(pattern) if pattern else ""
    told = {name: say(*value) if isinstance(value, list | tuple) else value for name, value in words.items()}
    return gettext(pattern) % told


def say_in_english(pattern: str, words: Words) -> str:
    """Return a sentence in English, as stored for programs and data exports."""
    with override("en"):
        return say(pattern, words)
