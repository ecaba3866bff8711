"""Modes of comments: off, after approval, or at once; a league without a choice has the mode of the arena."""

from __future__ import annotations

from django.conf import settings

OFF, APPROVED, AT_ONCE = "off", "approved", "at_once"


def read_mode(choice: str) -> str:
    """Return the mode of comments, `OFF`, `APPROVED` or `AT_ONCE`, given the choice in `League.comments`."""
    return choice or str(settings.COMMENTS)


def is_on(choice: str) -> bool:
    """Return True if a league with this choice takes and shows comments."""
    return read_mode(choice) != OFF
