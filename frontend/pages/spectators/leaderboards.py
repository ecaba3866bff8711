"""Leaderboard pages: the ratings of a game's bots, for all time and for each season."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from foundation.game_titles import games
from foundation.query_parameters import query_parameters
from frontend.pages.http_error_conversion import handle_missing
from replays.reports.seat_statistics import read_seat_statistics
from tournaments.ladders import queries as ladder_queries
from tournaments.ladders.ladder_deviation_ratings import read_deviations
from tournaments.league_limits import LADDER_TITLES
from tournaments.reports import league_lists

MAX_LEAGUES_TRIED = 20
"""Maximum number of leagues to search, from the newest, for a league whose game is installed."""


def leaderboards(_request: HttpRequest) -> HttpResponse:
    """Redirect to the leaderboard of the newest league's game."""
    installed = [name for name, _title in games()]
    newest = (league.game for league in league_lists.list_leagues(limit=MAX_LEAGUES_TRIED) if league.game in installed)
    return redirect("leaderboard", game=next(newest, installed[0]))


@query_parameters("season", "author", "language", "after")
@handle_missing
def leaderboard(request: HttpRequest, game: str) -> HttpResponse:
    """Show the leaderboard of a game, optionally for one season, author or programming language."""
    season, author, language = (request.GET.get(word, "") for word in ("season", "author", "language"))
    ladder = ladder_queries.read_ladder(game, season, author, language, request.GET.get("after", ""))
    context = {
        "ladder": ladder,
        "season": season,
        # the page's title is signed for its preview picture: it must not contain a text of the visitor's
        "season_in_title": season if season in LADDER_TITLES or season in ladder.seasons else "",
        "author": author,
        "language": language,
        "values": read_seat_statistics(game),
        "games": games(),
        "deviations": read_deviations(game, season),
    }
    return render(request, "frontend/leaderboard.html", context)
