"""Theatre: a page that plays one interesting match after another in a large viewer."""

from __future__ import annotations

import json
from fractions import Fraction

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.vary import vary_on_headers

from foundation.query_parameters import query_parameters
from frontend.pages.http_error_conversion import handle_missing
from frontend.pages.spectators.player_mistake_descriptions import name_cause
from ftk_core.analysis.match_review_document import MatchReviewDocument
from ftk_core.analysis.win_share_changes import TurningPoint
from replays.queries import CLOSED
from replays.reviews.stored_reviews import best_review
from tournaments.reports.featured_matches_page_content import FeaturedMatchesPageContent, read_programme

LEAD, BEHIND = 6, 3
"""Numbers of frames played before and after a turning point."""
MAX_TURNING_POINTS = 6
"""Maximum number of turning points played, those with the largest change."""


@query_parameters("match", "at", "eyes", "lang")
@vary_on_headers("HX-Request")
@handle_missing
def page(request: HttpRequest) -> HttpResponse:
    """Show a match and the list of other matches; htmx polls only the list."""
    programme = read_programme(request.GET.get("match", ""))
    if request.headers.get("HX-Request"):
        return render(request, "frontend/parts/playbill.html", {"bill": programme})
    reviewed = _find_review(programme)
    stretches = json.dumps(list_stretches(reviewed)) if reviewed else ""
    return render(request, "frontend/watch.html", {"bill": programme, "stretches": stretches})


def _find_review(programme: FeaturedMatchesPageContent) -> MatchReviewDocument | None:
    """Return the stored analysis of the shown match, if the match has ended and has one."""
    if programme.shown is None or programme.shown.status != CLOSED:
        return None
    return best_review(programme.shown.id)


def list_stretches(document: MatchReviewDocument) -> list[dict[str, object]]:
    """Return the parts of a match that are worth watching, each with its captions."""
    # Each part leads from frame `from` to frame `until`, with a turning point at frame `at`; `coming` announces it and
    # `said` explains it. The last part shows the end of the match.
    points: dict[int, TurningPoint] = {}
    for point in document.turning_points:  # largest first: if one step swung two seats, the larger swing is named
        points.setdefault(point.frame, point)
    rows = [
        {
            "from": max(0, frame - LEAD),
            "at": frame,
            "until": frame + BEHIND,
            "coming": _("A turning point: step %(frame)s") % {"frame": frame},
            "said": _write_caption(document.players, points[frame]),
        }
        for frame in sorted(list(points)[:MAX_TURNING_POINTS])
    ]
    end = document.curve[-1].frame
    return [*rows, {"from": max(0, end - LEAD), "at": end, "until": end + BEHIND, "coming": "", "said": ""}]


def _write_caption(names: tuple[str, ...], point: TurningPoint) -> str:
    """Describe a turning point: the player, the change of the expected share of opponents beaten, and the cause."""
    swing = Fraction(point.swing)
    words = {"name": names[point.seat], "swing": f"{float(abs(swing)) * 100:.0f}", "by": name_cause(point, names)}
    if swing > 0:
        text = _("Turning point: %(name)s's expected share rises by %(swing)s percentage points, by %(by)s") % words
    else:
        text = _("Turning point: %(name)s's expected share falls by %(swing)s percentage points, by %(by)s") % words
    return text if point.sure else _("%(text)s (not sure)") % {"text": text}
