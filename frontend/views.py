"""The pages: each asks the queries for one thing and shows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import BadRequest, ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from bots import queries as bots_queries
from bots.paging import BadCursor
from bots.words import asks
from frontend.charts import Chart, chart
from ftk_core.games import UnknownGame, shelf
from ftk_core.kit.house import house_bots
from ftk_core.words import LANGUAGES
from replays import queries as replays_queries
from replays.reports.seat_statistics import record_of, value_table
from replays.reports.timing import timing
from tournaments import queries as tournaments_queries
from tournaments import records
from tournaments.playbill import playbill
from tournaments.search import Wanted, search

BOT_MATCHES = 12
EXAMPLE_BOTS = frozenset({"random", "greedy"})
"""Whom a bot is tried against on the page that tells how to write one."""

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
        except BadCursor as error:
            raise BadRequest(f"after: {error}") from error

    return asked


def home(request: HttpRequest) -> HttpResponse:
    """Show what is being played now, and where to go from here."""
    bill = playbill()
    live = [bill.shown, *bill.live] if bill.shown and bill.shown.status == "playing" else bill.live
    current = tournaments_queries.current_leagues(limit=4)
    context = {
        "stage": live[0] if live else None,
        "live": live[1:5],
        "recent": bill.recent[:8],
        "open": [league for league in current if league.status == "open"],
        "leagues": [league for league in current if league.status != "open"],
        "upset": records.last_upset(),
        "games": tournaments_queries.games(),
    }
    return render(request, "frontend/home.html", context)


@asks("single", "after")
@found
def leagues(request: HttpRequest) -> HttpResponse:
    """List the leagues."""
    single = request.GET.get("single") == "yes"
    found = tournaments_queries.leagues_from(request.GET.get("after", ""), single=single)
    return render(request, "frontend/leagues.html", {"leagues": found.cards, "after": found.after, "single": single})


@found
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a league; htmx asks again for its inner part while it runs."""
    part = "frontend/parts/league.html" if request.headers.get("HX-Request") else "frontend/league.html"
    return render(request, part, {"league": tournaments_queries.league(slug)})


def leaderboards(_request: HttpRequest) -> HttpResponse:
    """Go to the leaderboard of the newest league's game, else of the first game."""
    newest = tournaments_queries.leagues(limit=1)
    return redirect("leaderboard", game=newest[0].game if newest else tournaments_queries.games()[0][0])


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
        "games": tournaments_queries.games(),
        "provisional": records.PROVISIONAL,
    }
    return render(request, "frontend/leaderboard.html", context)


@asks("game", "author", "language", "after")
@found
def bots(request: HttpRequest) -> HttpResponse:
    """List the bots."""
    game, author, language = (request.GET.get(word, "").replace("\0", "") for word in ("game", "author", "language"))
    found = bots_queries.bots(game, author, language, request.GET.get("after", ""))
    context = {
        "bots": found.rows,
        "after": found.after,
        "games": tournaments_queries.games(),
        "choices": bots_queries.bot_choices(),
        "game": game,
        "author": author,
        "language": language,
    }
    return render(request, "frontend/bots.html", context)


@asks("opponent", "result", "after")
@found
def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a bot: its versions, how it fares and against whom, and its matches."""
    page = bots_queries.bot_page(slug)
    opponent, result = request.GET.get("opponent", ""), request.GET.get("result", "")
    wanted = Wanted(bot=slug, opponent=opponent.strip(), result=result if result in ("won", "lost") else "")
    found = search(wanted, request.GET.get("after", ""), size=BOT_MATCHES)
    unknown = opponent and not found.matches and not bots_queries.bot_exists(wanted.opponent)
    standing = records.standing(slug, page.game)
    tables, roles = record_of(slug)
    context = {
        "bot": page,
        "standing": standing,
        "chart": rating_chart(standing),
        "values": roles,
        "tables": tables,
        "timing": timing(slug),
        "found": found,
        "wanted": wanted,
        "error": f"There is no bot “{opponent[:40]}”." if unknown else "",
        "games": tournaments_queries.games(),
    }
    return render(request, "frontend/bot.html", context)


def title_of(page: replays_queries.MatchPage) -> str:
    """Return the title of a match: the game and who plays it."""
    return f"{page.game_title}: {', '.join(player.name for player in page.players)}"


def rating_chart(standing: records.Standing | None) -> Chart | None:
    """Return the chart of a bot's rating, with a notch where a version played first."""
    points = standing.points if standing else []
    notches = [
        (number, f"v{point.version}")
        for number, point in enumerate(points)
        if point.version and (number == 0 or point.version != points[number - 1].version)
    ]
    return chart([point.rating for point in points], notches)


def language_of(request: HttpRequest) -> str:
    """Return the language that an address asks for, English where it asks for none of ours."""
    wanted = request.GET.get("lang", "")
    return wanted if wanted in LANGUAGES else LANGUAGES[0]


@asks("at", "eyes", "lang")
@found
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a match: the viewer, and its public story in words for whoever has no JavaScript."""
    page, language = replays_queries.match_page(match_id), language_of(request)
    story = replays_queries.story(match_id, language=language)
    place = tournaments_queries.place_of(match_id)
    context = {"match": page, "title": title_of(page), "story": story, "language": language, "place": place}
    return render(request, "frontend/match.html", context)


def example() -> str:
    """Return a game that the page's command line can be typed for: four seats, and house bots of those names."""
    fitting = (name for name, game in shelf().items() if 4 in game.seats and house_bots(name).keys() >= EXAMPLE_BOTS)
    return next(fitting, next(iter(shelf())))


def write_a_bot(request: HttpRequest) -> HttpResponse:
    """Tell how to write, try and upload a bot."""
    context = {"games": tournaments_queries.games(), "example": example()}
    return render(request, "frontend/write_a_bot.html", context)
