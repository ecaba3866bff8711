"""List of games for choices in forms and pages."""

from __future__ import annotations

from ftk_core.games import shelf


def games() -> list[tuple[str, str]]:
    """Return (name, title) of every game."""
    return [(name, row.title) for name, row in shelf().items()]
