"""Statistics of a series of matches: means with standard errors, and the court rating with its interval."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence

import msgspec

from ftk_core.kit.arena import PlayedMatch
from ftk_core.league.own_court import intervals_of
from ftk_core.league.tallies import share


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's statistics over a series; each mean has its standard error."""

    bot: str
    games: int
    points: float
    """The mean share of opponents beaten, a tie counting half: 0 to 1."""
    points_error: float
    place: float
    score: float
    score_error: float
    wins: int
    """Matches in the first place, shared ones included."""
    faults: int
    rating: int | None = None
    """The court rating of these matches alone, 1500 on average; None without numpy."""
    low: int | None = None
    """Lower bound of the rating's 95 % interval."""
    high: int | None = None
    """Upper bound of the rating's 95 % interval."""


def table(names: Sequence[str], matches: Sequence[PlayedMatch], *, together: int = 1) -> list[Line]:
    """Compute a line for each bot that has played, the best first, without ratings.

    Each `together` consecutive matches share one deal and therefore their luck; they count as one observation in
    standard errors.
    """
    lines = [line_of(name, bot, matches, together) for bot, name in enumerate(names)]
    return sorted((line for line in lines if line.games), key=lambda line: -line.points)


def line_of(name: str, bot: int, matches: Sequence[PlayedMatch], together: int = 1) -> Line:
    """Compute the statistics of one bot, given by its index in the series."""
    points, scores = defaultdict[int, list[float]](list), defaultdict[int, list[float]](list)
    held = [(number, match, seat) for number, match in enumerate(matches) for seat in _seats(match, bot)]
    for number, match, seat in held:
        points[number // together].append(float(share(match.places, seat)))
        scores[number // together].append(match.scores[seat])
    (points_mean, points_error), (score_mean, score_error) = _mean(points.values()), _mean(scores.values())
    return Line(
        bot=name,
        games=len(held),
        points=points_mean,
        points_error=points_error,
        place=sum(match.places[seat] for _, match, seat in held) / max(1, len(held)),
        score=score_mean,
        score_error=score_error,
        wins=sum(match.places[seat] == 1 for _, match, seat in held),
        faults=sum(match.faults[seat] for _, match, seat in held),
    )


def rated(lines: Sequence[Line], names: Sequence[str], matches: Sequence[PlayedMatch]) -> list[Line]:
    """Return the lines with the court ratings of these matches; raises NoNumbers without numpy and scipy."""
    ratings = intervals_of(matches, range(len(names)))
    found = dict(zip(names, ratings.values(), strict=True))
    return [
        msgspec.structs.replace(line, rating=rating, low=low, high=high)
        for line in lines
        for rating, low, high in [found[line.bot]]
    ]


def _seats(match: PlayedMatch, bot: int) -> list[int]:
    return [seat for seat, holder in enumerate(match.seating) if holder == bot]


def _mean(groups: Collection[Sequence[float]]) -> tuple[float, float]:
    """Return the mean and its standard error (0 for fewer than two groups), each group counting as one value."""
    values, count = [sum(group) / len(group) for group in groups], len(groups)
    mean = sum(values) / max(1, count)
    if count < 2:
        return mean, 0.0
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / (count - 1) / count)
