"""Pages of bots: the list, and for each bot its versions, ratings and matches."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from bots import queries as bots_queries
from bots.access.teams import is_author
from foundation.game_titles import games
from foundation.query_parameters import query_parameters
from frontend.drawing.svg_charts import LineChart, make_chart
from frontend.pages.http_error_conversion import handle_missing
from frontend.pages.spectators.player_mistake_descriptions import describe_player_mistakes
from replays.reports.bot_timing import read_timing
from replays.reports.seat_statistics import read_bot_statistics
from replays.reviews.bot_play_summaries import read_coaching
from tournaments.continuous_ladder.queries import list_benched
from tournaments.ladders import queries as ladder_queries
from tournaments.ladders.rating_history import read_court_ratings
from tournaments.leagues.queries import find_next_match
from tournaments.reports.league_match_search import LeagueMatchSearchCriteria, search

MATCHES_PER_PAGE = 12


@query_parameters("game", "author", "language", "after")
@handle_missing
def bots(request: HttpRequest) -> HttpResponse:
    """Show a page of the list of bots, optionally for one game, author or programming language."""
    game, author, language = (request.GET.get(word, "") for word in ("game", "author", "language"))
    page_of_results = bots_queries.list_bots(game, author, language, request.GET.get("after", ""))
    ratings = read_court_ratings([bot.slug for bot in page_of_results.rows])
    context = {
        "bots": [(bot, ratings.get(bot.slug, "–")) for bot in page_of_results.rows],
        "after": page_of_results.after,
        "games": games(),
        "choices": bots_queries.list_choices(),
        "game": game,
        "author": author,
        "language": language,
    }
    return render(request, "frontend/bots.html", context)


@query_parameters("opponent", "result", "after")
@handle_missing
def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a bot: its versions, its ratings, its results against opponents, and its matches."""
    page = bots_queries.read_bot(slug)
    opponent, result = request.GET.get("opponent", ""), request.GET.get("result", "")
    wanted = LeagueMatchSearchCriteria(
        bot=slug, opponent=opponent.strip(), result=result if result in ("won", "lost") else ""
    )
    page_of_results = search(wanted, request.GET.get("after", ""), size=MATCHES_PER_PAGE)
    unknown = opponent and not page_of_results.matches and not bots_queries.bot_exists(wanted.opponent)
    standing = ladder_queries.read_standing(slug, page.game)
    tables, roles = read_bot_statistics(slug)
    context = {
        "bot": page,
        "standing": standing,
        "chart": make_rating_chart(standing),
        "values": roles,
        "tables": tables,
        "timing": read_timing(slug),
        "coaching": (coaching := read_coaching(slug)),
        "mistakes": describe_player_mistakes(coaching.mistakes if coaching else ()),
        "benched": (benched := list_benched(slug)),
        "own": bool(benched) and is_author(request.user.pk, slug),
        "next": find_next_match(slug),
        "found": page_of_results,
        "wanted": wanted,
        "error": gettext("There is no bot “%(slug)s”.") % {"slug": opponent[:40]} if unknown else "",
        "games": games(),
    }
    return render(request, "frontend/bot.html", context)


def make_rating_chart(standing: ladder_queries.BotLadderStanding | None) -> LineChart | None:
    """Return the chart of a bot's Elo rating; None for fewer than two ratings."""
    points = standing.points if standing else []
    notches = [
        (number, f"v{point.version}")
        for number, point in enumerate(points)
        if point.version and (number == 0 or point.version != points[number - 1].version)
    ]
    return make_chart([point.rating for point in points], notches)
