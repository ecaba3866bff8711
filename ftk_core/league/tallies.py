"""Tallies of the entries of a stage: points of matches and rests, and the data for tie-breaks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import lcm
from typing import NamedTuple

import msgspec

from ftk_core.game import Worth, places_by
from ftk_core.league.facts import ResultRecorded, RoundPaired
from ftk_core.league.plans import Stage
from ftk_core.league.state import WIN, Begun, LeagueState

RESTS = {"win": WIN, "half": WIN / 2, "none": Fraction(0)}
"""Points of a rest, by the word in the terms of a stage."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """Tally of one entry over the matches of a stage."""

    points: Fraction = Fraction(0)
    wins: Fraction = Fraction(0)
    score: int = 0
    played: int = 0
    excuses: int = 0
    met: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """By round: (opponent's entry, half points made against it: 2, 1 or 0), for every match with it."""
    rests: list[tuple[int, Fraction]] = field(default_factory=list)
    """(round, points granted), for every round in which it rested."""

    @property
    def everybody(self) -> list[tuple[int, int]]:
        """Opponents in all rounds."""
        return [one for met in self.met.values() for one in met]

    @property
    def byes(self) -> int:
        """Number of rests."""
        return len(self.rests)


class Gain(msgspec.Struct, frozen=True):
    """Gain of one seat in a match."""

    points: Fraction
    wins: Fraction
    against: tuple[tuple[int, int], ...]
    """(other seat, half points made against it), for every other seat."""


def share(places: Sequence[int], seat: int) -> Fraction:
    """Return the share of opponents that a seat left behind; a tie counts half."""
    halves = sum(_halves(places, seat, other) for other in range(len(places)) if other != seat)
    return Fraction(halves, 2 * (len(places) - 1))


def points_of(worth: Worth, places: Sequence[int], seat: int) -> Fraction:
    """Return the points of a seat in a match."""
    if worth == "places":
        return share(places, seat)
    won = Fraction(places[seat] == 1)
    return won / places.count(1) if worth == "shared" else won


def against(places: Sequence[int], seat: int, other: int) -> Fraction:
    """Return the result of a seat against another: 1, one half or 0."""
    return Fraction(_halves(places, seat, other), 2)


def _halves(places: Sequence[int], seat: int, other: int) -> int:
    mine, theirs = places[seat], places[other]
    return 2 if mine < theirs else 1 if mine == theirs else 0


@lru_cache(maxsize=4096)  # the same few places recur, and fractions are slow
def gains(worth: Worth, places: tuple[int, ...]) -> tuple[Gain, ...]:
    """Return the gain of each seat in a match with these places."""
    first, seats = places.count(1), range(len(places))
    return tuple(
        Gain(
            points_of(worth, places, seat),
            Fraction(places[seat] == 1, max(1, first)),
            tuple((other, _halves(places, seat, other)) for other in seats if other != seat),
        )
        for seat in seats
    )


def resting(paired: RoundPaired) -> tuple[int, ...]:
    """Return the entries that rest in a round."""
    return (*paired.byes, *(rest.entry for rest in paired.rests))


def entries_of(league: LeagueState, begun: Begun) -> dict[int, Fraction]:
    """Return the entries of a stage, by seed, with the points they brought along."""
    if begun.entries:
        return {one.entry: Fraction(one.points) for one in begun.entries}
    return {entrant.entry: Fraction(entrant.points) for entrant in league.entrants}


def rounds_of(league: LeagueState, begun: Begun) -> tuple[RoundPaired, ...]:
    """Return the paired rounds of a stage."""
    after = next((later.first for later in league.begun if later.number == begun.number + 1), None)
    return league.rounds[begun.first - 1 : after and after - 1]


def tallies_of(league: LeagueState, begun: Begun) -> dict[int, Tally]:
    """Return the tally of each entry of a stage, in the order of seeds."""
    stage = league.stages[begun.number - 1]
    tallies = {entry: Tally(points=points) for entry, points in entries_of(league, begun).items()}
    rounds = rounds_of(league, begun)
    for paired in rounds:
        if paired.round <= league.closed_rounds:
            for entry, points in rests_of(paired, stage).items():
                tallies[entry].points += points
                tallies[entry].rests.append((paired.round, points))
    last = begun.first + len(rounds)
    _count(tallies, stage, [one for one in league.results if begun.first <= one.round < last])
    return tallies


def rests_of(paired: RoundPaired, stage: Stage) -> dict[int, Fraction]:
    """Return the points granted to each entry that rests in a round."""
    win = WIN * stage.games
    return dict.fromkeys(paired.byes, win) | {rest.entry: Fraction(rest.points) for rest in paired.rests}


class _Scored(NamedTuple):
    """Unit of scoring: a match, or a block of matches."""

    seating: Sequence[int]
    places: tuple[int, ...]
    matches: int = 1


def _scored(stage: Stage, results: Sequence[ResultRecorded]) -> list[_Scored]:
    """Return the units of scoring in a stage."""
    if stage.scored == "matches":
        return [_Scored(result.seating, result.places) for result in results]
    blocks = defaultdict[tuple[int, int], list[ResultRecorded]](list)
    for result in results:
        blocks[result.round, result.table].append(result)
    return [_block(stage.worth, block) for block in blocks.values()]


def _block(worth: Worth, results: Sequence[ResultRecorded]) -> _Scored:
    """Combine the matches of one table into one result; its places follow from their total points."""
    sums = dict.fromkeys(results[0].seating, Fraction(0))
    for result in results:
        for entry, gain in zip(result.seating, gains(worth, result.places), strict=True):
            sums[entry] += gain.points
    return _Scored(tuple(sums), tuple(places_by(list(sums.values()))), len(results))


def _count(tallies: Mapping[int, Tally], stage: Stage, results: Sequence[ResultRecorded]) -> None:
    """Add the gains of matches, in whole numbers of one unit: fractions are slow, and few results are distinct."""
    scored = _scored(stage, results)
    ends = {one.places for one in scored} | {one.places for one in results}
    given = {places: gains(stage.worth, places) for places in ends}
    unit = lcm(*(value.denominator for seats in given.values() for gain in seats for value in (gain.points, gain.wins)))
    units = {
        places: [(int(gain.points * unit), int(gain.wins * unit), gain.against) for gain in seats]
        for places, seats in given.items()
    }
    points, wins = defaultdict[int, int](int), defaultdict[int, int](int)
    for seating, places, matches in scored:
        for entry, (its_points, _, _) in zip(seating, units[places], strict=True):
            points[entry] += matches * its_points
    for result in results:
        seating, excuses = result.seating, result.excuses or (0,) * len(result.seating)
        seats = zip(seating, units[result.places], result.scores, excuses, strict=True)
        for entry, (_, its_wins, against), score, excused in seats:
            tally = tallies[entry]
            wins[entry] += its_wins
            tally.score += score
            tally.played += 1
            tally.excuses += excused
            tally.met.setdefault(result.round, []).extend([(seating[other], halves) for other, halves in against])
    for entry in points:
        tallies[entry].points += Fraction(points[entry], unit)
        tallies[entry].wins += Fraction(wins[entry], unit)


def cross_table(league: LeagueState, among: Collection[int]) -> dict[tuple[int, int], tuple[Fraction, int]]:
    """Return for (entry, opponent), both among these, the sum of the entry's shares and the number of matches."""
    cells: dict[tuple[int, int], tuple[Fraction, int]] = defaultdict(lambda: (Fraction(0), 0))
    for result in league.results:
        here = [(seat, entry) for seat, entry in enumerate(result.seating) if entry in among]
        for (seat, entry), (other, opponent) in permutations(here, 2):
            won, of = cells[entry, opponent]
            cells[entry, opponent] = (won + against(result.places, seat, other), of + 1)
    return dict(cells)
