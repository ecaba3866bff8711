"""Page of a game, and the source code of its built-in bots."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_noop

from foundation.games import games
from foundation.tongues import spoken
from foundation.words import asks
from frontend.drawing.rulebook import house, rulebook
from frontend.pages.shared import found
from ftk_core.games import game
from replays.reports.key_moments import find_key_moments
from tournaments import ladder_queries
from tournaments import queries as tournaments_queries
from tournaments.search import SearchFilter, search

LATEST = 4
WORTH = {
    "places": gettext_noop(
        "A match is worth the share of its opponents that a bot leaves behind: 1 for the first, 0 for the last, "
        "in even steps between; who shares a place counts half."
    ),
    "wins": gettext_noop("Each winner of a match is given one point, nobody else anything, however many win."),
    "shared": gettext_noop("The winners of a match share one point."),
}


@found
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show a game: rules, matches, best bots, and samples to begin with."""
    rules = game(name)
    latest = search(SearchFilter(game=name), size=LATEST).matches
    context = {
        "game": rules,
        "rules": rulebook(name),
        "seats": (rules.seats.start, rules.seats.stop - 1),
        "worth": gettext(WORTH[rules.worth]),
        "luck": tournaments_queries.read_luck(name),
        "house": house(name),
        "moments": find_key_moments(name, [match.id for match in latest]),
        "top": ladder_queries.list_top(name),
        "roles": ladder_queries.list_roles(name),
        "latest": latest,
        "games": games(),
    }
    return render(request, "frontend/game.html", context)


@found
def sample(request: HttpRequest, name: str, bot: str) -> HttpResponse:
    """Show the source code of a built-in bot."""
    rules = game(name)
    program = next((row for row in house(name) if row.name == bot), None)
    if program is None:
        raise Http404(gettext("%(name)s has no house bot %(bot)r") % {"name": name, "bot": bot})
    return render(request, "frontend/sample.html", {"game": rules, "bot": program})


@asks("lang")
@found
def about(request: HttpRequest, name: str) -> HttpResponse:  # noqa: ARG001 - Django hands it over
    """Return explanations of a game's pieces by tag, which the viewer shows on hover."""
    texts = game(name).about
    return JsonResponse(texts.get(spoken(), texts.get("en", {})), headers={"Cache-Control": "max-age=600"})
