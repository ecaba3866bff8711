"""Titles and texts of games in the language of the response."""

from __future__ import annotations

from foundation.response_language import active_language
from ftk_core.games import list_games, title_of


def get_game_title(name: str) -> str:
    """Return the translated title of a game, or its name if the game is not installed."""
    return translate_game_text(title_of(name), name)


def translate_game_text(text: str, name: str) -> str:
    """Translate an English text about a game; return it unchanged if the game has no translation of it."""
    rules = list_games().get(name)
    return rules.introduction(active_language()).get(text, text) if rules else text


def games() -> list[tuple[str, str]]:
    """Return a (name, title) pair for every game, as Django's `choices` expect."""
    return [(name, get_game_title(name)) for name in list_games()]
