"""Data for the tie-breaks of a stage: opponents by round, and the value of rounds without a match.

Unplayed rounds follow FIDE's rule (Handbook C.07, article 16, 2024), with the opponent being everybody met in a round:
a round adds the mean over them, which at tables of two is the opponent's score. A round in which an entry met nobody
adds its own score, as if it had met an equal opponent with the result that the rest was worth (16.4). For its
opponents, an entry that stays away voluntarily to the end is worth half a win for each of these rounds (16.3); other
rests are worth the points granted. A match that was void too often is decided by a ruling and counts as played, like
one ended by an arbiter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import msgspec

from ftk_core.league.luck import chance_of
from ftk_core.league.state import WIN, Begun, Entrant, LeagueState
from ftk_core.league.tallies import Tally, rests_of, rounds_of, tallies_of

Exact = Fraction | int
"""Exact number. In files a count is a number and a fraction is text."""


# gc=False: there are thousands of these two, never in a reference cycle, so the garbage collector can skip them


class Outing(msgspec.Struct, frozen=True, gc=False):
    """One closed round of one entry."""

    met: Sequence[tuple[int, int]]
    """(opponent's entry, half points made against it: 2, 1 or 0), for every match with it."""
    points: Fraction = Fraction(0)
    """Points granted if it met nobody."""
    away: bool = False
    """True if it stayed away voluntarily: excused, withdrawn, or not yet entered."""


class Added(msgspec.Struct, frozen=True, gc=False):
    """Contribution of a round to an entry's tie-breaks, in the ledger's `unit`."""

    opposition: int
    quality: int
    away: bool


@dataclass(frozen=True)
class Ledger:
    """Data of a stage for its tie-breaks, by entry. Each part is computed on first use."""

    league: LeagueState
    begun: Begun

    @cached_property
    def tallies(self) -> Mapping[int, Tally]:
        """Tally of each entry, by seed."""
        return tallies_of(self.league, self.begun)

    @cached_property
    def outings(self) -> Mapping[int, Sequence[Outing]]:
        """Closed rounds of each entry."""
        return _outings(self.league, self.begun, self.tallies)

    @cached_property
    def points(self) -> Points:
        """Current points of each entry."""
        return Points.of({entry: tally.points for entry, tally in self.tallies.items()})

    @cached_property
    def scores(self) -> Mapping[int, Fraction]:
        """Value of each entry for its opponents (16.3)."""
        return {entry: tally.points + self._made_up(entry) for entry, tally in self.tallies.items()}

    def _made_up(self, entry: int) -> Fraction:
        made_up = Fraction(0)
        for outing in reversed(self.outings[entry]):
            if not outing.away:
                break
            made_up += self._win / 2 - outing.points
        return made_up

    @property
    def _win(self) -> Fraction:
        """Points of winning a whole round."""
        return WIN * self.league.stages[self.begun.number - 1].games

    @cached_property
    def _worth(self) -> Points:
        """Value of each entry for its opponents, with its unit."""
        return Points.of(self.scores)

    @cached_property
    def unit(self) -> int:
        """Number of units in one point, such that all contributions of rounds are whole numbers."""
        rests = lcm(*(one.points.denominator for outings in self.outings.values() for one in outings if not one.met))
        many = lcm(*{len(one.met) for outings in self.outings.values() for one in outings if one.met})
        return lcm(2 * self._worth.unit * many, self.points.unit * rests * self._win.numerator)

    @cached_property
    def added(self) -> Mapping[int, Sequence[Added]]:
        """Contribution of each round, by entry."""
        return {entry: [self._added(entry, one) for one in outings] for entry, outings in self.outings.items()}

    def _added(self, entry: int, outing: Outing) -> Added:
        if not outing.met:
            own = self.tallies[entry].points * self.unit
            return Added(int(own), int(own * outing.points / self._win), away=outing.away)
        units, half = self._worth.units, self.unit // (2 * self._worth.unit * len(outing.met))
        opposition = quality = 0
        for other, halves in outing.met:
            opposition += units[other]
            quality += halves * units[other]
        return Added(2 * opposition * half, quality * half, away=False)

    def encounters(self, equals: Collection[int]) -> Mapping[int, Mapping[int, Fraction]]:
        """Return for these entries: entry -> opponent among them -> share of all their matches that it won."""
        here, shares = frozenset(equals), dict[int, dict[int, Fraction]]()
        for entry in equals:
            made = defaultdict[int, list[int]](list)
            for other, halves in self.tallies[entry].everybody:
                if other in here:
                    made[other].append(halves)
            shares[entry] = {other: Fraction(sum(halves), 2 * len(halves)) for other, halves in made.items()}
        return shares

    @cached_property
    def lots(self) -> Mapping[int, int]:
        """Lot for each entry, greater is better, drawn with the unpredictable luck of the last round."""
        rounds = rounds_of(self.league, self.begun)
        draw = chance_of(self.league, rounds[-1].link if rounds else "").at("lots", self.begun.number)
        return {entry: lot for lot, entry in enumerate(draw.shuffled(sorted(self.tallies)))}

    @cached_property
    def ratings(self) -> Mapping[int, int]:
        """Court rating from this stage alone, in whole points; raises `own_court.NoNumbers` without numpy."""
        from ftk_core.league.own_court import ratings_of

        rounds = rounds_of(self.league, self.begun)
        here = range(self.begun.first, self.begun.first + len(rounds))
        results = [result for result in self.league.results if result.round in here]
        return ratings_of(results, tuple(self.tallies), self.league.header.rules)


def _outings(league: LeagueState, begun: Begun, tallies: Mapping[int, Tally]) -> dict[int, list[Outing]]:
    """Return the closed rounds of a stage for each of its entries."""
    stage = league.stages[begun.number - 1]
    closed = [paired for paired in rounds_of(league, begun) if paired.round <= league.closed_rounds]
    outings: dict[int, list[Outing]] = {entry: [] for entry in tallies}
    for paired in reversed(closed):  # backwards, so that later returns are known
        points, asked = rests_of(paired, stage), {rest.entry for rest in paired.rests if rest.why == "absent"}
        seated = {entry for table in paired.tables for entry in table.seating}
        for entry, later in outings.items():
            met = tallies[entry].met.get(paired.round, ())
            if met or entry in seated:
                later.append(Outing(met))
            elif entry in points:
                later.append(Outing((), points[entry], entry in asked))
            else:
                back = any(one.met for one in later)
                later.append(_missed(league.entrant(entry), begun, paired.round, back=back))
    return {entry: found[::-1] for entry, found in outings.items()}


def _missed(entrant: Entrant, begun: Begun, round_: int, *, back: bool) -> Outing:
    """Return the outing of an absent entry; elimination by the format is not voluntary absence."""
    if round_ >= entrant.since:
        return Outing((), away=entrant.withdrawn or back)
    return Outing((), Fraction(entrant.points) / (entrant.since - begun.first), away=True)


@dataclass(frozen=True, slots=True)
class Points:
    """Points as whole numbers of a common unit: as exact as fractions, and faster to add."""

    units: Mapping[int, int]
    """Units by entry."""
    unit: int
    """Number of units per point."""

    @classmethod
    def of(cls, points: Mapping[int, Fraction]) -> Points:
        """Convert points by entry."""
        units, unit = whole(list(points.values()))
        return cls(dict(zip(points, units, strict=True)), unit)


def whole(values: Sequence[Exact]) -> tuple[list[int], int]:
    """Convert numbers to whole multiples of a common unit; return them and the number of units in one.

    >>> whole([Fraction(1, 2), Fraction(2, 3), 2])
    ([3, 4, 12], 6)
    """
    unit = lcm(*(value.denominator for value in values))
    return [value.numerator * (unit // value.denominator) for value in values], unit
