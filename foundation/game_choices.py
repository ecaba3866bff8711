"""List of games for choices in forms and pages."""

from __future__ import annotations

from ftk_core.games import list_games


def games() -> list[tuple[str, str]]:
    """Return a (name, title) pair for every game, as Django's `choices` expect."""
    return [(name, row.title) for name, row in list_games().items()]
