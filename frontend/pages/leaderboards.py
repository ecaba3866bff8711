"""The leaderboards: each game's ladder of all time and of its seasons."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from common.games import games
from common.words import asks
from frontend.pages.shared import found
from replays.reports.seat_statistics import value_table
from tournaments import queries as tournaments_queries
from tournaments import records


def leaderboards(_request: HttpRequest) -> HttpResponse:
    """Go to the leaderboard of the newest league's game, else of the first game."""
    newest = tournaments_queries.leagues(limit=1)
    return redirect("leaderboard", game=newest[0].game if newest else games()[0][0])


@asks("season", "author", "language", "after")
@found
def leaderboard(request: HttpRequest, game: str) -> HttpResponse:
    """Show a game's ladder of all time or of a season, or the part of it that is an author's, or in one language."""
    season, author, language = (request.GET.get(word, "") for word in ("season", "author", "language"))
    context = {
        "ladder": records.ladder(game, season, author, language, request.GET.get("after", "")),
        "season": season,
        "author": author,
        "language": language,
        "values": value_table(game),
        "games": games(),
        "provisional": records.PROVISIONAL,
    }
    return render(request, "frontend/leaderboard.html", context)
