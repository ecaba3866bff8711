"""Results of one bot version in its latest matches, with a confidence interval."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean, stdev

from ftk_core.analysis.confidence_intervals import share_interval
from ftk_core.league.scoring.entrant_stage_totals import share_left_behind
from replays.models import MatchSeat
from replays.result_totals_by_seat import newest_seats

MAX_MATCHES = 200
"""Maximum number of latest matches that count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotVersionResults:
    """Results of a bot version in its latest matches."""

    number: int
    matches: int
    share: float
    """Mean share of opponents with a worse place, in per cent; an opponent with the same place counts half."""
    low: float
    """Lower end of the 95 % confidence interval of `share`."""
    high: float
    """Upper end of the 95 % confidence interval of `share`."""
    won: int
    """Number of first places, shared ones included."""
    missed: int
    """Number of questions to which the bot gave no valid answer."""


def read_results(bot_slug: str, number: int) -> BotVersionResults | None:
    """Return the results of a bot's version `number` in its latest public matches, or None without such matches."""
    # This takes two queries.
    own = newest_seats(bot_slug, number, MAX_MATCHES)
    rows = [(row.match_id, row.seat, row.place, row.excuses) for row in own]
    if not rows:
        return None
    places = defaultdict[str, list[int]](list)
    everybody = MatchSeat.objects.filter(match__in={match for match, *_ in rows}).order_by("match_id", "seat")
    for match, place in everybody.values_list("match_id", "place"):
        places[match].append(place or 0)
    shares_by_match = defaultdict[str, list[float]](list)  # the seats of a match are not independent
    for match, seat, *_ in rows:
        shares_by_match[match].append(float(share_left_behind(places[match], seat)))
    shares = [fmean(of_match) for of_match in shares_by_match.values()]
    mean = fmean(shares)
    error = stdev(shares) / math.sqrt(len(shares)) if len(shares) > 1 else None
    low, high = share_interval(mean, error, len(shares))
    return BotVersionResults(
        number=number,
        matches=len(shares),
        share=100 * mean,
        low=100 * low,
        high=100 * high,
        won=sum(place == 1 for _, _, place, _ in rows),
        missed=sum(excuses for *_, excuses in rows),
    )
