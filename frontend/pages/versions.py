"""Comparison page of two versions of a bot."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from bots import queries as bots_queries
from bots.queries import VersionRow
from foundation.words import asks
from frontend.pages.shared import found
from replays.reports.records import VersionResults, read_results
from replays.reports.timing import Timing, read_timing


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two versions."""

    version: VersionRow
    results: VersionResults | None
    timing: Timing | None


@asks("a", "b")
@found
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show two versions of a bot, by default the newest two that were not refused."""
    bot = bots_queries.read_bot(slug)
    rows = {str(row.number): row for row in bot.versions}
    played = [number for number, row in rows.items() if row.status != "refused"] or list(rows)
    asked = [request.GET.get("a", ""), request.GET.get("b", "")]
    usual = [*played[1:2], *played[:1]] if len(played) > 1 else [*played, *played]
    chosen = [word if word in rows else other for word, other in zip(asked, usual, strict=False)]
    unknown = [word for word in asked if word and word not in rows]
    sides = [Side(rows[n], read_results(slug, int(n)), read_timing(slug, int(n))) for n in chosen]
    context = {
        "bot": bot,
        "sides": sides,
        "chosen": chosen,
        "error": _("%(bot)s has no version %(number)s.") % {"bot": bot.name, "number": unknown[0][:20]}
        if unknown
        else "",
    }
    return render(request, "frontend/versions.html", context)
