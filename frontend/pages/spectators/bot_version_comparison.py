"""Page that compares the results of two versions of a bot."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from bots import queries as bots_queries
from bots.queries import BotVersionListItem
from foundation.query_parameters import query_parameters
from frontend.pages.http_error_conversion import handle_missing
from replays.reports.bot_timing import BotTiming, read_timing
from replays.reports.bot_version_results import BotVersionResults, read_results


@dataclass(frozen=True, slots=True)
class ComparedVersion:
    """One of the two compared versions, with its results and its thinking times."""

    version: BotVersionListItem
    results: BotVersionResults | None
    timing: BotTiming | None


@query_parameters("a", "b")
@handle_missing
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Compare two versions of a bot, by default the newest two."""
    # By default without versions that failed their trial match, unless all did.
    bot = bots_queries.read_bot(slug)
    rows = {str(row.number): row for row in bot.versions}
    played = [number for number, row in rows.items() if row.status != "refused"] or list(rows)
    asked = [request.GET.get("a", ""), request.GET.get("b", "")]
    usual = [*played[1:2], *played[:1]] if len(played) > 1 else [*played, *played]
    chosen = [word if word in rows else other for word, other in zip(asked, usual, strict=False)]
    unknown = [word for word in asked if word and word not in rows]
    sides = [ComparedVersion(rows[n], read_results(slug, int(n)), read_timing(slug, int(n))) for n in chosen]
    context = {
        "bot": bot,
        "sides": sides,
        "chosen": chosen,
        "error": _("%(bot)s has no version %(number)s.") % {"bot": bot.name, "number": unknown[0][:20]}
        if unknown
        else "",
    }
    return render(request, "frontend/versions.html", context)
