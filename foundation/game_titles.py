"""Titles of games in the language of the response, and the list of games for choices in forms and pages."""

from __future__ import annotations

from foundation.response_language import active_language
from ftk_core.games import list_games, title_of


def get_game_title(name: str) -> str:
    """Return the title of a game in the language of the response.

    If the game is not installed here, it has no title; then return its name.
    """
    return translate_game_text(title_of(name), name)


def translate_game_text(text: str, name: str) -> str:
    """Translate an English text about the game `name` into the language of the response.

    The game provides the translations (`Game.introduction`). Return the text unchanged if it has no translation, or if
    the game is not installed here.
    """
    rules = list_games().get(name)
    return rules.introduction(active_language()).get(text, text) if rules else text


def games() -> list[tuple[str, str]]:
    """Return a (name, title) pair for every game, as Django's `choices` expect."""
    return [(name, get_game_title(name)) for name in list_games()]
