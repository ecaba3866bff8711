"""Data for the tie-breaks of a stage, by FIDE's rules (Handbook C.07, article 16, 2024).

The rules are made for two players. At larger tables, the mean score of a bot's opponents in a round replaces the score
of the opponent.
"""
# A round without a match counts as a match against an opponent with the bot's own score; its result is the number of
# points granted (16.4). In an opponent's score, each of the last rounds that it missed by its own wish counts half a
# win (16.3). A match that failed too often, and was decided by a ruling, counts as played.

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import msgspec

from ftk_core.league.league_facts import RoundPaired
from ftk_core.league.league_state import WIN, LeagueEntrant, LeagueState, StageState
from ftk_core.league.scoring.entrant_stage_totals import (
    REST_POINTS,
    EntrantStageTotals,
    rests_of,
    rounds_of,
    tallies_of,
)
from ftk_core.league.statistics.round_seed_hash_chain import chance_of

Exact = Fraction | int
"""Exact number: a whole number or a fraction. Published files write a fraction as text."""


# gc=False: there are thousands of objects of the next two classes, never in a reference cycle


class EntrantRoundResult(msgspec.Struct, frozen=True, gc=False):
    """Result of one bot in one closed round: its opponents, or the points granted if it had no match."""

    met: Sequence[tuple[int, int]]
    """Pairs (opponent, half points made against it: 2, 1 or 0), for every match of the round."""
    points: Fraction = Fraction(0)
    """Points granted for the round if the bot met nobody; in a gauntlet, those for one table."""
    away: bool = False
    """True if the bot missed the round by its own wish or was excused, not because the format had eliminated it."""


class RoundTiebreakContribution(msgspec.Struct, frozen=True, gc=False):
    """Numbers that one round adds to the tie-breaks of a bot, in units (see `TiebreakInputs.unit`)."""

    opposition: int
    """Mean score of the opponents met in the round; without a match, the score of the bot itself."""
    quality: int
    """Mean, over the opponents met, of the product: share won against the opponent, times the opponent's score."""
    away: bool
    """True if the bot stayed away voluntarily."""


@dataclass(frozen=True)
class TiebreakInputs:
    """Data for the tie-breaks of a league stage, by bot. Each property is computed on first use."""

    league: LeagueState
    begun: StageState
    eliminates: bool
    """True if the stage's format eliminates bots (`LeagueFormat.eliminates`)."""

    @cached_property
    def tallies(self) -> Mapping[int, EntrantStageTotals]:
        """Total points, wins, opponents and byes of each bot in the league stage."""
        return tallies_of(self.league, self.begun)

    @cached_property
    def round_results(self) -> Mapping[int, Sequence[EntrantRoundResult]]:
        """The result of each closed round of the stage, in order, by bot."""
        return _round_results(self.league, self.begun, self.tallies, eliminates=self.eliminates)

    @cached_property
    def points(self) -> IntegerScaledPoints:
        """Current points of each bot, as whole numbers of a common unit."""
        return IntegerScaledPoints.of({entry: tally.points for entry, tally in self.tallies.items()})

    @cached_property
    def scores(self) -> Mapping[int, Fraction]:
        """Points of each bot, as they count in the tie-breaks of its opponents (FIDE C.07, 16.3)."""
        # They can differ from its points if it stayed away from the last rounds.
        return {entry: tally.points + self._unplayed_points_correction(entry) for entry, tally in self.tallies.items()}

    def _unplayed_points_correction(self, entry: int) -> Fraction:
        made_up = Fraction(0)
        for outing in reversed(self.round_results[entry]):
            if not outing.away:
                break
            made_up += self._win / 2 - outing.points
        return made_up

    @property
    def _win(self) -> Fraction:
        """Points of a bot that wins all its matches of a round."""
        return WIN * self.league.stages[self.begun.number - 1].games

    @cached_property
    def _worth(self) -> IntegerScaledPoints:
        """The points in `scores` as whole numbers of a common unit."""
        # Adding fractions is slow.
        return IntegerScaledPoints.of(self.scores)

    @cached_property
    def unit(self) -> int:
        """Number of units in one point."""
        # Tie-breaks are added up in units, because adding fractions is slow. All numbers in `added` are whole.
        rests = lcm(
            *(
                one.points.denominator
                for round_results in self.round_results.values()
                for one in round_results
                if not one.met
            )
        )
        many = lcm(*{len(one.met) for round_results in self.round_results.values() for one in round_results if one.met})
        return lcm(2 * self._worth.unit * many, self.points.unit * rests * self._win.numerator)

    @cached_property
    def added(self) -> Mapping[int, Sequence[RoundTiebreakContribution]]:
        """Bot -> contributions of its closed rounds to the tie-breaks, in order."""
        return {
            entry: [self._added(entry, one) for one in round_results]
            for entry, round_results in self.round_results.items()
        }

    def _added(self, entry: int, outing: EntrantRoundResult) -> RoundTiebreakContribution:
        if not outing.met:
            own = self.tallies[entry].points * self.unit
            return RoundTiebreakContribution(int(own), int(own * outing.points / self._win), away=outing.away)
        units, half = self._worth.units, self.unit // (2 * self._worth.unit * len(outing.met))
        opposition = quality = 0
        for other, halves in outing.met:
            opposition += units[other]
            quality += halves * units[other]
        return RoundTiebreakContribution(2 * opposition * half, quality * half, away=False)

    def encounters(self, equals: Collection[int]) -> Mapping[int, Mapping[int, Fraction]]:
        """Return the share of matches that each bot won against each other bot in `equals`; a tie counts half."""
        compared, shares = frozenset(equals), dict[int, dict[int, Fraction]]()
        for entry in equals:
            half_points = defaultdict[int, list[int]](list)
            for other, halves in self.tallies[entry].everybody:
                if other in compared:
                    half_points[other].append(halves)
            shares[entry] = {other: Fraction(sum(halves), 2 * len(halves)) for other, halves in half_points.items()}
        return shares

    @cached_property
    def lots(self) -> Mapping[int, int]:
        """Random number of each bot for the last tie-break; the greater ranks first."""
        # The seed is that of the stage's last round.
        rounds = rounds_of(self.league, self.begun)
        draw = chance_of(self.league, rounds[-1].link if rounds else "").at("lots", self.begun.number)
        return {entry: lot for lot, entry in enumerate(draw.shuffled(sorted(self.tallies)))}

    @cached_property
    def ratings(self) -> Mapping[int, int]:
        """Estimated strength of each bot from this stage's matches alone, in whole points.

        Raises `stage_court_rating.NumpyMissingError` if numpy is not installed.
        """
        from ftk_core.league.statistics.stage_court_rating import ratings_of

        rounds = rounds_of(self.league, self.begun)
        round_numbers = range(self.begun.first, self.begun.first + len(rounds))
        results = [result for result in self.league.results if result.round in round_numbers]
        return ratings_of(results, tuple(self.tallies), self.league.header.rules)


def _round_results(
    league: LeagueState, begun: StageState, tallies: Mapping[int, EntrantStageTotals], *, eliminates: bool
) -> dict[int, list[EntrantRoundResult]]:
    """Return the result of each closed round for each bot: the opponents it met, or the points of a bye."""
    stage = league.stages[begun.number - 1]
    closed = [paired for paired in rounds_of(league, begun) if paired.round <= league.closed_rounds]
    round_results: dict[int, list[EntrantRoundResult]] = {entry: [] for entry in tallies}
    last_rounds = _last_rounds_of_groups(rounds_of(league, begun))
    for paired in reversed(closed):  # backwards, to know whether an entry returned later
        points, absent = rests_of(paired, stage), {rest.entry for rest in paired.rests if rest.why == "absent"}
        seated = {entry for table in paired.tables for entry in table.seating}
        for entry, later in round_results.items():
            met = tallies[entry].met.get(paired.round, ())
            is_over = league.header.rules >= 2 and paired.round > last_rounds.get(entry, paired.round)
            if met or entry in seated:
                later.append(EntrantRoundResult(met))
            elif entry in points:
                usual = REST_POINTS[stage.absence if entry in absent else stage.rest] * stage.games
                later.append(EntrantRoundResult((), min(points[entry], usual), entry in absent and not is_over))
            else:
                entrant = league.entrant(entry)
                away = not eliminates and not is_over
                if league.header.rules < 2:
                    away = entrant.withdrawn or any(one.met for one in later)
                later.append(_missed_round(entrant, begun, paired.round, away=away))
    return {entry: later_outings[::-1] for entry, later_outings in round_results.items()}


def _last_rounds_of_groups(rounds: Sequence[RoundPaired]) -> Mapping[int, int]:
    """Return for each bot that played in a group the last round in which its group had a table."""
    # Its group plays no more after that, so what the bot does in the rounds of other groups changes no tie-break.
    tables = [(paired.round, table) for paired in rounds for table in paired.tables if table.group]
    last = {table.group: round_ for round_, table in tables}
    return {entry: last[table.group] for _, table in tables for entry in table.seating}


def _missed_round(entrant: LeagueEntrant, begun: StageState, round_: int, *, away: bool) -> EntrantRoundResult:
    # The bot stayed away by its own wish (`away`), or had not yet entered the league, or the format had eliminated it,
    # or its group had played its last round.
    # What an eliminated bot does afterwards changes nothing: the format decided that it plays no more. Before version 2
    # of the league rules, a bot stayed away by its own wish if it is withdrawn now or came back later, in any format.
    if round_ >= entrant.since:
        return EntrantRoundResult((), away=away)
    return EntrantRoundResult((), Fraction(entrant.points) / (entrant.since - begun.first), away=True)


@dataclass(frozen=True, slots=True)
class IntegerScaledPoints:
    """Points as whole numbers of a common unit: as exact as fractions, and faster to add."""

    units: Mapping[int, int]
    """Bot -> its points, in units."""
    unit: int
    """Number of units per point."""

    @classmethod
    def of(cls, points: Mapping[int, Fraction]) -> IntegerScaledPoints:
        """Express points as whole numbers of a common unit. For 1/2 and 2/3, this unit is 1/6."""
        units, unit = to_whole_multiples(list(points.values()))
        return cls(dict(zip(points, units, strict=True)), unit)


def to_whole_multiples(values: Sequence[Exact]) -> tuple[list[int], int]:
    """Express numbers as whole multiples of a common fraction 1/n; return the multiples and n.

    >>> to_whole_multiples([Fraction(1, 2), Fraction(2, 3), 2])
    ([3, 4, 12], 6)
    """
    unit = lcm(*(value.denominator for value in values))
    return [value.numerator * (unit // value.denominator) for value in values], unit
