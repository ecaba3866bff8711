"""Statistics of bots in a series of matches: means with standard errors, and ratings."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence

import msgspec

from ftk_core.kit.match_series.local_matches import PlayedMatch
from ftk_core.league.scoring.entrant_stage_totals import share_left_behind
from ftk_core.league.statistics.stage_court_rating import intervals_of


class BotStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """Statistics of one bot over a series of matches: means with standard errors, and its rating."""

    bot: str
    games: int
    points: float
    """Mean share of opponents beaten, a tie counting half: 0 to 1."""
    points_error: float | None
    """Standard error of `points`; None with fewer than two deals, as is `score_error`."""
    place: float
    score: float
    score_error: float | None
    wins: int
    """Number of matches in first place, shared or not."""
    faults: int
    rating: int | None = None
    """Court rating from the matches of the series alone, 1500 on average; None without numpy and scipy."""
    low: int | None = None
    """Lower bound of the rating's 95 % interval."""
    high: int | None = None
    """Upper bound of the rating's 95 % interval."""


def compute_statistics(
    names: Sequence[str], matches: Sequence[PlayedMatch], *, together: int = 1
) -> list[BotStatistics]:
    """Compute the statistics of each bot that has played, the best first, without ratings.

    `together` is the number of consecutive matches with the same random seed. Standard errors count the matches of one
    seed as one observation.
    """
    lines = [bot_statistics(name, bot, matches, together=together) for bot, name in enumerate(names)]
    return sorted((line for line in lines if line.games), key=lambda line: -line.points)


def bot_statistics(
    name: str, bot: int, matches: Sequence[PlayedMatch], *, together: int = 1, deals: int = 0
) -> BotStatistics:
    """Compute the statistics of one bot in a series, without its rating.

    `together` is the number of consecutive matches with the same random seed. `deals` is the number of different seeds,
    if the series repeats its sequence of seeds for each opponent. It is 0 if the series repeats no seed.
    """
    # All matches with one seed share their luck: in standard errors, they count as one observation.
    points, scores = defaultdict[int, list[float]](list), defaultdict[int, list[float]](list)
    seats_held = [(number, match, seat) for number, match in enumerate(matches) for seat in _seats(match, bot)]
    for number, match, seat in seats_held:
        deal = number // together % (deals or len(matches))
        points[deal].append(float(share_left_behind(match.places, seat)))
        scores[deal].append(match.scores[seat])
    (points_mean, points_error), (score_mean, score_error) = _mean(points.values()), _mean(scores.values())
    return BotStatistics(
        bot=name,
        games=len(seats_held),
        points=points_mean,
        points_error=points_error,
        place=sum(match.places[seat] for _, match, seat in seats_held) / max(1, len(seats_held)),
        score=score_mean,
        score_error=score_error,
        wins=sum(match.places[seat] == 1 for _, match, seat in seats_held),
        faults=sum(match.faults[seat] for _, match, seat in seats_held),
    )


def add_ratings(
    lines: Sequence[BotStatistics], names: Sequence[str], matches: Sequence[PlayedMatch]
) -> list[BotStatistics]:
    """Rate the bots by their matches, and return their statistics with the ratings added.

    Raises NumpyMissingError without numpy and scipy.
    """
    ratings = intervals_of(matches, range(len(names)))
    ratings_by_name = dict(zip(names, ratings.values(), strict=True))
    return [
        msgspec.structs.replace(line, rating=rating, low=low, high=high)
        for line in lines
        for rating, low, high in [ratings_by_name[line.bot]]
    ]


def _seats(match: PlayedMatch, bot: int) -> list[int]:
    return [seat for seat, holder in enumerate(match.seating) if holder == bot]


def _mean(groups: Collection[Sequence[float]]) -> tuple[float, float | None]:
    """Return the mean of the groups' means, and its standard error (None for fewer than two groups).

    A group holds the values of all matches with one random seed, and counts as one observation.
    """
    values, count = [sum(group) / len(group) for group in groups], len(groups)
    mean = sum(values) / max(1, count)
    if count < 2:
        return mean, None
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / (count - 1) / count)
