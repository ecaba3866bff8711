"""The tie-breaks of a league: one object each, and nothing else to touch for one more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

Exact = Fraction | int
"""A number without rounding; in files a count stands as a number and a fraction as text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreak:
    """One way to tell apart those who have equally many points."""

    slug: str
    """Its key in ``results.json``: once exported, for ever."""
    name: str
    """What heads its column."""
    what: str
    """What it is, in a few words for whoever reads the standings."""
    kin: str
    """The regulation that it follows or is nearest to (FIDE Handbook C.07), and where it differs."""
    value: Callable[[Tally, Points], Exact]
    """(what an entry has gathered, everybody's points) -> its value: greater is better."""


TIEBREAKS = (
    TieBreak(
        slug="wins",
        name="Wins",
        what="Matches in first place; a shared first place counts as its share",
        kin="number of games won; at tables of several a first place can be shared",
        value=lambda tally, _points: tally.wins,
    ),
    TieBreak(
        slug="opposition",
        name="Opposition",
        what="Mean points of everybody met, the strength of the opposition",
        kin="mean Buchholz, over everybody met as often as they were met; a bye meets nobody",
        value=lambda tally, points: Fraction(
            sum(points.units[other] for other, _ in tally.met), points.unit * max(1, len(tally.met))
        ),
    ),
    TieBreak(
        slug="quality",
        name="Quality",
        what="Sum over all opponents: the share won against them times their points",
        kin="Sonneborn-Berger, against everybody at the table",
        value=lambda tally, points: Fraction(
            sum(halves * points.units[other] for other, halves in tally.met), 2 * points.unit
        ),
    ),
    TieBreak(
        slug="score",
        name="Score",
        what="Points of the game itself, summed",
        kin="none: chess has no score within a game",
        value=lambda tally, _points: tally.score,
    ),
)
"""In the order in which they are applied."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """What one entry has gathered in the matches of a league: what tie-breaks are made of."""

    points: Fraction = Fraction(0)
    wins: Fraction = Fraction(0)
    score: int = 0
    played: int = 0
    byes: int = 0
    met: list[tuple[int, int]] = field(default_factory=list)
    """(opponent's entry, the halves of a point made of them: 2, 1 or 0), for every match with them."""


@dataclass(frozen=True, slots=True)
class Points:
    """Everybody's points, as whole numbers of a unit that divides them all: as exact as fractions, and soon summed."""

    units: Mapping[int, int]
    """By entry."""
    unit: int
    """How many of them make a point."""

    @classmethod
    def of(cls, points: Mapping[int, Fraction]) -> Points:
        """Return these points by entry."""
        units, unit = whole(list(points.values()))
        return cls(dict(zip(points, units, strict=True)), unit)


def whole(values: Sequence[Exact]) -> tuple[list[int], int]:
    """Return numbers as whole numbers of the largest unit that divides them all, and how many of it make a one.

    >>> whole([Fraction(1, 2), Fraction(2, 3), 2])
    ([3, 4, 12], 6)
    """
    unit = lcm(*(value.denominator for value in values))
    return [value.numerator * (unit // value.denominator) for value in values], unit
