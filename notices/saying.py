"""Sentences that are kept to be said later, to each reader in their own tongue: a pattern, and what stands in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, override

Words = Mapping[str, Any]
"""By placeholder a text or a number; a pair of a pattern and its own words is a sentence within the sentence."""


def say(pattern: str, words: Words) -> str:
    """Return a sentence in the tongue that is spoken now; a pattern that no catalogue knows is said as it is.

    >>> say("Round %(round)s ended.", {"round": 3})
    'Round 3 ended.'
    """
    if not words:
        return gettext(pattern) if pattern else ""
    told = {name: say(*value) if isinstance(value, list | tuple) else value for name, value in words.items()}
    return gettext(pattern) % told


def say_in_english(pattern: str, words: Words) -> str:
    """Return a sentence as it is kept for programs and for whoever takes everything along."""
    with override("en"):
        return say(pattern, words)
