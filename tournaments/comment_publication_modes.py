"""Modes of comments on a league: off, shown after approval, or shown at once."""

from __future__ import annotations

from django.conf import settings

OFF, APPROVED, AT_ONCE = "off", "approved", "at_once"


def read_mode(choice: str) -> str:
    """Return the mode `OFF`, `APPROVED` or `AT_ONCE` for a value of `League.comments`; if empty, the default mode."""
    return choice or str(settings.COMMENTS)


def is_on(choice: str) -> bool:
    """Return True if comments are turned on in a league. `choice` is the value of `League.comments`."""
    return read_mode(choice) != OFF
