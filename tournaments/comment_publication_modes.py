"""Comment modes of a league: off, comments shown after approval, or at once. The setting COMMENTS is the default."""

from __future__ import annotations

from django.conf import settings

OFF, APPROVED, AT_ONCE = "off", "approved", "at_once"


def read_mode(choice: str) -> str:
    """Return the mode `OFF`, `APPROVED` or `AT_ONCE` for a value of `League.comments`; empty stands for the default."""
    return choice or str(settings.COMMENTS)


def is_on(choice: str) -> bool:
    """Return True if a league with this choice in `League.comments` takes and shows comments."""
    return read_mode(choice) != OFF
