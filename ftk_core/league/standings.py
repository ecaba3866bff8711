"""Who stands where in a league."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

import msgspec

from ftk_core.game import Worth, places_by
from ftk_core.league.facts import ResultRecorded
from ftk_core.league.state import WIN, LeagueState
from ftk_core.league.tiebreaks import TIEBREAKS, Exact, Points, Tally, TieBreak, whole


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One entry's standing."""

    entry: int
    place: int = 0
    """0 as long as it is not known."""
    points: Fraction
    tiebreaks: tuple[Exact, ...]
    """The value of each, in the order in which they are applied."""
    played: int
    byes: int

    @property
    def key(self) -> tuple[Exact, ...]:
        """What standings are sorted by: greater is better."""
        return (self.points, *self.tiebreaks)


def share(places: Sequence[int], seat: int) -> Fraction:
    """Return the share of opponents that a seat left behind, a tie counting half."""
    halves = sum(_halves(places, seat, other) for other in range(len(places)) if other != seat)
    return Fraction(halves, 2 * (len(places) - 1))


def points_of(worth: Worth, places: Sequence[int], seat: int) -> Fraction:
    """Return what a match is worth to a seat."""
    if worth == "places":
        return share(places, seat)
    won = Fraction(places[seat] == 1)
    return won / places.count(1) if worth == "shared" else won


def against(places: Sequence[int], seat: int, other: int) -> Fraction:
    """Return what a seat made of another: 1, one half or 0."""
    return Fraction(_halves(places, seat, other), 2)


def _halves(places: Sequence[int], seat: int, other: int) -> int:
    mine, theirs = places[seat], places[other]
    return 2 if mine < theirs else 1 if mine == theirs else 0


def standings(league: LeagueState, tiebreaks: Sequence[TieBreak] = TIEBREAKS) -> list[Row]:
    """Return the rows from first to last; entries equal in everything share a place, the earlier entry first."""
    tallies = _tallies(league)
    points = Points.of({entry: tally.points for entry, tally in tallies.items()})
    rows = [
        Row(
            entry=entry,
            points=tally.points,
            tiebreaks=tuple(tiebreak.value(tally, points) for tiebreak in tiebreaks),
            played=tally.played,
            byes=tally.byes,
        )
        for entry, tally in tallies.items()
    ]
    # fractions are slow to compare, whole numbers of the same unit are not
    columns = (whole(column)[0] for column in zip(*(row.key for row in rows), strict=True))
    places = places_by(list(zip(*columns, strict=True)))
    placed = [msgspec.structs.replace(row, place=place) for row, place in zip(rows, places, strict=True)]
    return sorted(placed, key=lambda row: (row.place, row.entry))


def points_in(league: LeagueState) -> dict[int, Fraction]:
    """Return the points of every entry, which is what a round is paired by."""
    return {entry: tally.points for entry, tally in _tallies(league).items()}


def _tallies(league: LeagueState) -> dict[int, Tally]:
    tallies = {entrant.entry: Tally() for entrant in league.entrants}
    for paired in league.rounds[: league.closed_rounds]:
        for entry in paired.byes:
            tallies[entry].points += WIN * league.header.games
            tallies[entry].byes += 1
    for result in league.results:
        _count(tallies, league.header.worth, result)
    return tallies


def _count(tallies: Mapping[int, Tally], worth: Worth, result: ResultRecorded) -> None:
    seating, scores = result.seating, result.scores
    for seat, (entry, gain) in enumerate(zip(seating, gains(worth, result.places), strict=True)):
        tally = tallies[entry]
        tally.points += gain.points
        tally.wins += gain.wins
        tally.score += scores[seat]
        tally.played += 1
        tally.met.extend((seating[other], halves) for other, halves in gain.against)


class Gain(msgspec.Struct, frozen=True):
    """What a match gives to one seat."""

    points: Fraction
    wins: Fraction
    against: tuple[tuple[int, int], ...]
    """(another seat, halves made of it), for every other one."""


@lru_cache(maxsize=4096)  # the same few places come again and again, and fractions are slow
def gains(worth: Worth, places: tuple[int, ...]) -> tuple[Gain, ...]:
    """Return by seat what a match with these places gives."""
    first, seats = places.count(1), range(len(places))
    return tuple(
        Gain(
            points_of(worth, places, seat),
            Fraction(places[seat] == 1, max(1, first)),
            tuple((other, _halves(places, seat, other)) for other in seats if other != seat),
        )
        for seat in seats
    )


def cross_table(league: LeagueState) -> dict[tuple[int, int], tuple[Fraction, int]]:
    """Return for (entry, opponent) what the entry made of them: the sum of its shares, and out of how many."""
    cells: dict[tuple[int, int], tuple[Fraction, int]] = defaultdict(lambda: (Fraction(0), 0))
    for result in league.results:
        for seat, entry in enumerate(result.seating):
            for other, opponent in enumerate(result.seating):
                if other != seat:
                    won, of = cells[entry, opponent]
                    cells[entry, opponent] = (won + against(result.places, seat, other), of + 1)
    return dict(cells)
