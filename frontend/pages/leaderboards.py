"""Leaderboards: each game's ladder, for all time and by season."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from foundation.games import games
from foundation.words import asks
from frontend.pages.shared import found
from replays.reports.seat_statistics import read_seat_statistics
from tournaments import ladder_queries
from tournaments import queries as tournaments_queries
from tournaments.deviations import read_deviations


def leaderboards(_request: HttpRequest) -> HttpResponse:
    """Redirect to the leaderboard of the newest league's game, else of the first game."""
    newest = tournaments_queries.list_leagues(limit=1)
    return redirect("leaderboard", game=newest[0].game if newest else games()[0][0])


@asks("season", "author", "language", "after")
@found
def leaderboard(request: HttpRequest, game: str) -> HttpResponse:
    """Show a game's ladder for all time or a season, optionally filtered by author or language."""
    season, author, language = (request.GET.get(word, "") for word in ("season", "author", "language"))
    context = {
        "ladder": ladder_queries.read_ladder(game, season, author, language, request.GET.get("after", "")),
        "season": season,
        "author": author,
        "language": language,
        "values": read_seat_statistics(game),
        "games": games(),
        "deviations": read_deviations(game, season),
    }
    return render(request, "frontend/leaderboard.html", context)
