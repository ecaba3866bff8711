"""Titles of games in the language of the response, and the list of games for choices in forms and pages."""

from __future__ import annotations

from foundation.response_language import active_language
from ftk_core.games import game, list_games


def get_game_title(name: str) -> str:
    """Return the title of a game; raises UnknownGameError."""
    return translate_game_text(game(name).title, name)


def translate_game_text(text: str, name: str) -> str:
    """Return a text of a game's `introduction` in the language of the response, or the text if it is none of them."""
    return game(name).introduction(active_language()).get(text, text)


def games() -> list[tuple[str, str]]:
    """Return a (name, title) pair for every game, as Django's `choices` expect."""
    return [(name, get_game_title(name)) for name in list_games()]
