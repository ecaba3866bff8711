"""Results of one bot version in its last matches."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean, stdev

from ftk_core.league.tallies import share
from replays.models import MatchSeat
from replays.sums import newest_seats

MATCHES = 200
"""Number of last matches considered."""
SURE = 1.96
"""Standard errors on each side of a mean for an interval of about 95 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionResults:
    """Results of a version."""

    number: int
    matches: int
    share: float
    """Share of opponents left behind, in per cent; a tie counts half."""
    low: float
    """Lower end of the interval of about 95 %."""
    high: float
    """Upper end of that interval."""
    won: int
    """Number of first places, shared ones included."""
    missed: int
    """Questions without a valid answer."""


def read_results(bot_slug: str, number: int) -> VersionResults | None:
    """Return a version's results in its last released matches, None before the first: two queries."""
    own = newest_seats(bot_slug, number, MATCHES)
    rows = [(row.match_id, row.seat, row.place, row.excuses) for row in own]
    if not rows:
        return None
    places = defaultdict[str, list[int]](list)
    everybody = MatchSeat.objects.filter(match__in={match for match, *_ in rows}).order_by("match_id", "seat")
    for match, place in everybody.values_list("match_id", "place"):
        places[match].append(place or 0)
    shares = [100 * float(share(places[match], seat)) for match, seat, *_ in rows]
    mean = fmean(shares)
    wide = SURE * stdev(shares) / math.sqrt(len(shares)) if len(shares) > 1 else 100.0
    return VersionResults(
        number=number,
        matches=len(rows),
        share=mean,
        low=max(0.0, mean - wide),
        high=min(100.0, mean + wide),
        won=sum(place == 1 for _, _, place, _ in rows),
        missed=sum(excuses for *_, excuses in rows),
    )
