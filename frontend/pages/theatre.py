"""Theatre: one match in the large viewer, and a list of other matches."""

from __future__ import annotations

import json
from fractions import Fraction

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from foundation.words import asks
from frontend.pages.shared import found
from ftk_core.reviewed import Reviewed, TurningPoint
from replays.queries import CLOSED
from replays.reviews.reading import best_review
from tournaments.playbill import Playbill, read_playbill

LEAD, BEHIND = 6, 3
"""Number of frames shown before and after a turning point."""
MOST = 6
"""Maximum number of turning points shown, the largest ones."""
BY = {"deal": gettext_noop("the deal"), "chance": gettext_noop("chance"), "own": gettext_noop("their own choice")}


@asks("match", "at", "eyes", "lang")
@found
def page(request: HttpRequest) -> HttpResponse:
    """Show a match and the programme; htmx polls the programme alone."""
    bill = read_playbill(request.GET.get("match", ""))
    if request.headers.get("HX-Request"):
        return render(request, "frontend/parts/playbill.html", {"bill": bill})
    reviewed = _reviewed(bill)
    stretches = json.dumps(stretches_of(reviewed)) if reviewed else ""
    return render(request, "frontend/watch.html", {"bill": bill, "stretches": stretches})


def _reviewed(bill: Playbill) -> Reviewed | None:
    """Return the review of the shown match, if it is over and has one; reviews of released matches are public."""
    if bill.shown is None or bill.shown.status != CLOSED:
        return None
    return best_review(bill.shown.id)


def stretches_of(found: Reviewed) -> list[dict[str, object]]:
    """Return the stretches of a reviewed match, in order: frames `from` and `until`, with captions.

    Each turning point is a stretch: `coming` is shown before its frame `at`, `said` after it. The end is the last.
    """
    points: dict[int, TurningPoint] = {}
    for point in found.turning_points:  # largest first: if one step swung two seats, the larger swing is named
        points.setdefault(point.frame, point)
    rows = [
        {
            "from": max(0, frame - LEAD),
            "at": frame,
            "until": frame + BEHIND,
            "coming": _("A turning point: step %(frame)s") % {"frame": frame},
            "said": _said(found.players, points[frame]),
        }
        for frame in sorted(list(points)[:MOST])
    ]
    end = found.curve[-1].frame
    return [*rows, {"from": max(0, end - LEAD), "at": end, "until": end + BEHIND, "coming": "", "said": ""}]


def _said(names: tuple[str, ...], point: TurningPoint) -> str:
    """Return the caption of a turning point."""
    swing = Fraction(point.swing)
    other = _("another's choice") if point.of is None else _("a choice of %(name)s") % {"name": names[point.of]}
    by = _(BY[point.by]) if point.by in BY else other
    words = {"name": names[point.seat], "swing": f"{float(abs(swing)):.0%}", "by": by}
    if swing > 0:
        return _("Turning point: %(name)s's expected share rises by %(swing)s, by %(by)s") % words
    return _("Turning point: %(name)s's expected share falls by %(swing)s, by %(by)s") % words
