"""Points and standings of a series, which counts the final places of several leagues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

FULL_POINTS = 100
"""Points for the first place of a league if the series has no points by place; the last place gets 0."""


@dataclass(frozen=True, slots=True)
class LeaguePointsInSeries:
    """Points of a bot in one league of a series. `counts` is False if the bot's total leaves them out."""

    points: Fraction
    counts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesStanding:
    """One bot in the standings of a series."""

    place: int
    bot: str
    points: Fraction
    results: tuple[LeaguePointsInSeries | None, ...]
    """Results in the order of the leagues; None for a league that the bot did not play."""


def points_of_places(places: Mapping[str, int], points: Sequence[int]) -> dict[str, Fraction]:
    """Return the points of each bot of a league from its final place; ties share points.

    `points` lists the points of the first place, the second, and so on. If it is empty, points fall evenly from 100
    for the first place to 0 for the last.

    >>> [str(got) for got in points_of_places({"a": 1, "b": 2, "c": 2}, (10, 6, 4)).values()]
    ['10', '5', '5']
    >>> [str(got) for got in points_of_places({"a": 1, "b": 2, "c": 3}, ()).values()]
    ['100', '50', '0']
    """
    bots, tied = len(places), Counter(places.values())

    def worth(place: int) -> Fraction:
        if points:
            return Fraction(points[place - 1] if place <= len(points) else 0)
        return Fraction(FULL_POINTS * (bots - place), bots - 1) if bots > 1 else Fraction(FULL_POINTS)

    shared = {place: sum(map(worth, range(place, place + count))) / count for place, count in tied.items()}
    return {bot: Fraction(shared[place]) for bot, place in places.items()}


def series_standings(leagues: Sequence[Mapping[str, int]], points: Sequence[int], drops: int) -> list[SeriesStanding]:
    """Return the standings of a series from the final places in its leagues, best first.

    A bot's total leaves out its `drops` worst leagues. A missed league gives 0 points. In the example, `drops` is 1.

    >>> [(row.place, row.bot, str(row.points)) for row in series_standings([{"a": 1, "b": 2}, {"b": 1}], (), 1)]
    [(1, 'a', '100'), (1, 'b', '100')]
    """
    # At least one league counts. Bots with equal points are ordered by their best counting league, then by the next. If
    # all are equal, they share a place and are listed by name.
    scored = [points_of_places(places, points) for places in leagues]
    counted = max(1, len(leagues) - drops)
    rows = []
    for bot in sorted({bot for places in leagues for bot in places}):
        got = [league.get(bot) for league in scored]
        played = (at for at, value in enumerate(got) if value is not None)
        best = sorted(played, key=lambda at: (-(got[at] or 0), at))[:counted]
        results = tuple(
            None if value is None else LeaguePointsInSeries(value, at in best) for at, value in enumerate(got)
        )
        order = [got[at] or Fraction(0) for at in best] + [Fraction(0)] * (counted - len(best))
        rows.append(((sum(order, Fraction(0)), *order), bot, results))
    rows.sort(key=lambda row: row[0], reverse=True)
    first_place = {key: place for place, (key, _, _) in reversed(list(enumerate(rows, 1)))}
    return [
        SeriesStanding(place=first_place[key], bot=bot, points=key[0], results=results) for key, bot, results in rows
    ]
