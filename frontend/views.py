"""The pages: each asks the queries for one thing and shows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from bots import queries as bots_queries
from ftk_core.games import UnknownGame
from replays import queries as replays_queries
from replays.values import value_table
from tournaments import queries as tournaments_queries

P = ParamSpec("P")
Page = Callable[Concatenate[HttpRequest, P], HttpResponse]


def found(page: Page[P]) -> Page[P]:
    """Return the page, answering 404 where a query finds nothing of the name."""

    @wraps(page)
    def asked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return page(request, *args, **kwargs)
        except (ObjectDoesNotExist, UnknownGame) as error:
            raise Http404(str(error)) from error

    return asked


def home(request: HttpRequest) -> HttpResponse:
    """Show what is being played now, and where to go from here."""
    context = {
        "live": replays_queries.live_matches(limit=4),
        "recent": replays_queries.recent_matches(limit=6),
        "leagues": tournaments_queries.leagues(limit=4),
        "games": tournaments_queries.games(),
    }
    return render(request, "frontend/home.html", context)


def leagues(request: HttpRequest) -> HttpResponse:
    """List the leagues."""
    return render(request, "frontend/leagues.html", {"leagues": tournaments_queries.leagues()})


@found
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a league; htmx asks again for its inner part while it runs."""
    part = "frontend/parts/league.html" if request.headers.get("HX-Request") else "frontend/league.html"
    return render(request, part, {"league": tournaments_queries.league(slug)})


def leaderboards(_request: HttpRequest) -> HttpResponse:
    """Go to the leaderboard of the newest league's game, else of the first game."""
    newest = tournaments_queries.leagues(limit=1)
    return redirect("leaderboard", game=newest[0].game if newest else tournaments_queries.games()[0][0])


@found
def leaderboard(request: HttpRequest, game: str) -> HttpResponse:
    """Show a game's ladder."""
    context = {
        "ladder": tournaments_queries.ladder(game),
        "values": value_table(game),
        "games": tournaments_queries.games(),
    }
    return render(request, "frontend/leaderboard.html", context)


def bots(request: HttpRequest) -> HttpResponse:
    """List the bots."""
    context = {"bots": bots_queries.bots(), "games": tournaments_queries.games()}
    return render(request, "frontend/bots.html", context)


@found
def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a bot: its versions and its last matches."""
    page = bots_queries.bot_page(slug)
    context = {
        "bot": page,
        "values": value_table(page.game, slug),
        "matches": replays_queries.recent_matches(limit=20, bot_slug=slug),
        "games": tournaments_queries.games(),
    }
    return render(request, "frontend/bot.html", context)


def title_of(page: replays_queries.MatchPage) -> str:
    """Return the title of a match: the game and who plays it."""
    return f"{page.game_title}: {', '.join(player.name for player in page.players)}"


@found
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a match: the viewer, and its public story in words for whoever has no JavaScript."""
    page = replays_queries.match_page(match_id)
    context = {"match": page, "title": title_of(page), "story": replays_queries.story(match_id)}
    return render(request, "frontend/match.html", context)


def write_a_bot(request: HttpRequest) -> HttpResponse:
    """Tell how to write, try and upload a bot."""
    return render(request, "frontend/write_a_bot.html", {"games": tournaments_queries.games()})
