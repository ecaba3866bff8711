"""What the tie-breaks of a stage are made of: who met whom in which round, and what rounds without a match count as.

The latter is FIDE's rule (Handbook C.07, article 16, 2024), its opponent being everybody met in a round: what a round
adds is the mean over them, so that at tables of two it is the opponent's score. A round in which an entry met nobody
adds its own score, as if it had met somebody equal, against whom it made what the rest was worth (16.4). To others an
entry that stays away of its own will to the end is worth half a win for each of these rounds (16.3); other rests are
worth what they were given. A match that was void too often is ruled upon, and was played, as one an arbiter ended.
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
"""A number without rounding; in files a count stands as a number and a fraction as text."""


# there are thousands of these two, none of them part of a circle: the collector of garbage need not look at them


class Outing(msgspec.Struct, frozen=True, gc=False):
    """What a closed round was to one entry."""

    met: Sequence[tuple[int, int]]
    """(opponent's entry, the halves of a point made of them: 2, 1 or 0), for every match with them."""
    points: Fraction = Fraction(0)
    """What it was given for it, where it met nobody."""
    away: bool = False
    """Whether it stayed away of its own will: excused, withdrawn, or not entered yet."""


class Added(msgspec.Struct, frozen=True, gc=False):
    """What a round adds to an entry's tie-breaks, in the ledger's `unit`."""

    opposition: int
    quality: int
    away: bool


@dataclass(frozen=True)
class Ledger:
    """A stage as its tie-breaks see it; everything by entry, and counted when it is first asked for."""

    league: LeagueState
    begun: Begun

    @cached_property
    def tallies(self) -> Mapping[int, Tally]:
        """What everybody has gathered, by seed."""
        return tallies_of(self.league, self.begun)

    @cached_property
    def outings(self) -> Mapping[int, Sequence[Outing]]:
        """What each closed round was to each entry."""
        return _outings(self.league, self.begun, self.tallies)

    @cached_property
    def points(self) -> Points:
        """Everybody's points as they stand."""
        return Points.of({entry: tally.points for entry, tally in self.tallies.items()})

    @cached_property
    def scores(self) -> Mapping[int, Fraction]:
        """What everybody is worth to those who met them (16.3)."""
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
        """What a whole round won is worth."""
        return WIN * self.league.stages[self.begun.number - 1].games

    @cached_property
    def _worth(self) -> Points:
        """What everybody is worth to those who met them, and its unit."""
        return Points.of(self.scores)

    @cached_property
    def unit(self) -> int:
        """How much of what rounds add makes one point: all of it is a whole number then."""
        rests = lcm(*(one.points.denominator for outings in self.outings.values() for one in outings if not one.met))
        many = lcm(*{len(one.met) for outings in self.outings.values() for one in outings if one.met})
        return lcm(2 * self._worth.unit * many, self.points.unit * rests * self._win.numerator)

    @cached_property
    def added(self) -> Mapping[int, Sequence[Added]]:
        """What each round adds."""
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
        """Return for some entries: entry -> opponent among them -> the share of all their matches that it won."""
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
        """A lot for each, drawn with the luck of the last round, which nobody foresaw: greater is better."""
        rounds = rounds_of(self.league, self.begun)
        draw = chance_of(self.league, rounds[-1].link if rounds else "").at("lots", self.begun.number)
        return {entry: lot for lot, entry in enumerate(draw.shuffled(sorted(self.tallies)))}

    @cached_property
    def ratings(self) -> Mapping[int, int]:
        """The court rating of this stage alone, in whole points; raises `own_court.NoNumbers` without numpy."""
        from ftk_core.league.own_court import ratings_of

        rounds = rounds_of(self.league, self.begun)
        here = range(self.begun.first, self.begun.first + len(rounds))
        results = [result for result in self.league.results if result.round in here]
        return ratings_of(results, tuple(self.tallies), self.league.header.rules)


def _outings(league: LeagueState, begun: Begun, tallies: Mapping[int, Tally]) -> dict[int, list[Outing]]:
    """Return what the closed rounds of a stage were to each of its entries."""
    stage = league.stages[begun.number - 1]
    closed = [paired for paired in rounds_of(league, begun) if paired.round <= league.closed_rounds]
    outings: dict[int, list[Outing]] = {entry: [] for entry in tallies}
    for paired in reversed(closed):  # so that it is known who came back
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
    """Return what a round was to somebody who was nowhere in it; whoever is out by the format did not want to be."""
    if round_ >= entrant.since:
        return Outing((), away=entrant.withdrawn or back)
    return Outing((), Fraction(entrant.points) / (entrant.since - begun.first), away=True)


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
