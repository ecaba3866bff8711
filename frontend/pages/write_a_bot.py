"""How to write, try and upload a bot."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from bots.language_queries import list_languages
from foundation.games import games
from ftk_core.games import shelf
from ftk_core.kit.beginning import BEGUN
from ftk_core.kit.house import house_bots

EXAMPLE_BOTS = frozenset({"random", "greedy"})
"""Whom a bot is tried against on the page that tells how to write one."""


def example() -> str:
    """Return a game that the page's command line can be typed for: four seats, and house bots of those names."""
    fitting = (name for name, game in shelf().items() if 4 in game.seats and house_bots(name).keys() >= EXAMPLE_BOTS)
    return next(fitting, next(iter(shelf())))


def page(request: HttpRequest) -> HttpResponse:
    """Tell how to write, try and upload a bot."""
    context = {"games": games(), "example": example(), "languages": list_languages(), "begun": BEGUN}
    return render(request, "frontend/write_a_bot.html", context)
