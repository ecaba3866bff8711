"""Pages of bots: the list, and each with its versions, ratings and matches."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from bots import queries as bots_queries
from bots.teams import is_author
from foundation.games import games
from foundation.words import asks
from frontend.drawing.charts import Chart, chart
from frontend.pages.shared import found
from replays.reports.seat_statistics import read_bot_statistics
from replays.reports.timing import read_timing
from tournaments import ladder_queries
from tournaments.continuous_queries import list_benched
from tournaments.search import SearchFilter, search

BOT_MATCHES = 12


@asks("game", "author", "language", "after")
@found
def bots(request: HttpRequest) -> HttpResponse:
    """List the bots."""
    game, author, language = (request.GET.get(word, "").replace("\0", "") for word in ("game", "author", "language"))
    found = bots_queries.list_bots(game, author, language, request.GET.get("after", ""))
    context = {
        "bots": found.rows,
        "after": found.after,
        "games": games(),
        "choices": bots_queries.list_choices(),
        "game": game,
        "author": author,
        "language": language,
    }
    return render(request, "frontend/bots.html", context)


@asks("opponent", "result", "after")
@found
def bot(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a bot: its versions, its results by opponent, and its matches."""
    page = bots_queries.read_bot(slug)
    opponent, result = request.GET.get("opponent", ""), request.GET.get("result", "")
    wanted = SearchFilter(bot=slug, opponent=opponent.strip(), result=result if result in ("won", "lost") else "")
    found = search(wanted, request.GET.get("after", ""), size=BOT_MATCHES)
    unknown = opponent and not found.matches and not bots_queries.bot_exists(wanted.opponent)
    standing = ladder_queries.read_standing(slug, page.game)
    tables, roles = read_bot_statistics(slug)
    context = {
        "bot": page,
        "standing": standing,
        "chart": rating_chart(standing),
        "values": roles,
        "tables": tables,
        "timing": read_timing(slug),
        "benched": (benched := list_benched(slug)),
        "own": bool(benched) and is_author(request.user.pk, slug),
        "found": found,
        "wanted": wanted,
        "error": f"There is no bot “{opponent[:40]}”." if unknown else "",
        "games": games(),
    }
    return render(request, "frontend/bot.html", context)


def rating_chart(standing: ladder_queries.Standing | None) -> Chart | None:
    """Return the chart of a bot's rating, with a mark at each version's first match."""
    points = standing.points if standing else []
    notches = [
        (number, f"v{point.version}")
        for number, point in enumerate(points)
        if point.version and (number == 0 or point.version != points[number - 1].version)
    ]
    return chart([point.rating for point in points], notches)
