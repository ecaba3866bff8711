"""Modes of comments on a league: off, shown after approval, or shown at once."""

from __future__ import annotations

from django.conf import settings

from ftk_core.games import list_games

OFF, APPROVED, AT_ONCE = "off", "approved", "at_once"


def read_mode(choice: str) -> str:
    """Return the mode `OFF`, `APPROVED` or `AT_ONCE` of a league. An empty `choice` stands for the site's default."""
    return choice or str(settings.COMMENTS)


def takes_comments(choice: str, game: str) -> bool:
    """Return True if people can comment on a league: comments are not off, and its game is installed here."""
    return read_mode(choice) != OFF and game in list_games()
