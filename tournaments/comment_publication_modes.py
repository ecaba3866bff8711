"""Modes of comments on a league: off, shown after approval, or shown at once."""

from __future__ import annotations

from django.conf import settings

from ftk_core.games import list_games

OFF, APPROVED, AT_ONCE = "off", "approved", "at_once"


def read_mode(choice: str) -> str:
    """Return the mode `OFF`, `APPROVED` or `AT_ONCE` for a value of `League.comments`; if empty, the default mode."""
    return choice or str(settings.COMMENTS)


def takes_comments(choice: str, game: str) -> bool:
    """Return True if a league of an installed game has comments. `choice` is the value of `League.comments`."""
    return read_mode(choice) != OFF and game in list_games()
