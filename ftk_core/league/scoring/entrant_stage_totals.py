"""Totals of each bot in a league stage: points, and data for tie-breaks."""

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

from ftk_core.game import Worth, rank_by_keys
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_facts import ResultRecorded, RoundPaired
from ftk_core.league.league_state import WIN, LeagueState, StageState

REST_POINTS = {"win": WIN, "half": WIN / 2, "none": Fraction(0)}
"""Value of `StageSettings.rest` or `absence` -> points for a bye, per match of the round."""


@dataclass(slots=True, kw_only=True)
class EntrantStageTotals:
    """Totals of one bot in a league stage, such as points, wins and byes."""

    points: Fraction = Fraction(0)
    wins: Fraction = Fraction(0)
    """Number of matches in first place; a first place shared by n bots counts as 1/n."""
    score: int = 0
    """Sum of the scores of the game itself."""
    played: int = 0
    """Number of matches."""
    excuses: int = 0
    """Number of moves that the referee chose because the bot gave no valid answer."""
    met: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """Round -> pairs (opponent, half points made against it: 2, 1 or 0), for every match of the round."""
    rests: list[tuple[int, Fraction]] = field(default_factory=list)
    """Pairs (round, points granted), for every round in which the bot had a bye."""

    @property
    def everybody(self) -> list[tuple[int, int]]:
        """Pairs (opponent, half points made against it: 2, 1 or 0), for every match of the stage."""
        return [one for met in self.met.values() for one in met]

    @property
    def byes(self) -> int:
        """Number of rounds in which the bot had a bye."""
        return len(self.rests)


class MatchScoreOfSeat(msgspec.Struct, frozen=True):
    """Score of one seat in a match: points, wins, and results against every other seat."""

    points: Fraction
    wins: Fraction
    against: tuple[tuple[int, int], ...]
    """Pairs (other seat, half points made against it: 2, 1 or 0), for every other seat."""


def share_left_behind(places: Sequence[int], seat: int) -> Fraction:
    """Return the share of opponents that a seat finished ahead of; a tie counts half."""
    halves = sum(_half_points_against(places, seat, other) for other in range(len(places)) if other != seat)
    return Fraction(halves, 2 * (len(places) - 1))


def points_of(worth: Worth, places: Sequence[int], seat: int) -> Fraction:
    """Return the points that a seat gains in a match.

    The rule "places" gives the share of opponents beaten. "wins" gives 1 for first place, even if several bots share
    it. "shared" divides 1 equally among the bots in first place.
    """
    if worth == "places":
        return share_left_behind(places, seat)
    won = Fraction(places[seat] == 1)
    return won / places.count(1) if worth == "shared" else won


def result_against(places: Sequence[int], seat: int, other: int) -> Fraction:
    """Return 1 if the seat finished ahead of the other, 1/2 for a tie, else 0."""
    return Fraction(_half_points_against(places, seat, other), 2)


def _half_points_against(places: Sequence[int], seat: int, other: int) -> int:
    mine, theirs = places[seat], places[other]
    return 2 if mine < theirs else 1 if mine == theirs else 0


@lru_cache(maxsize=4096)  # the same few places recur, and fractions are slow
def seat_gains(worth: Worth, places: tuple[int, ...]) -> tuple[MatchScoreOfSeat, ...]:
    """Return the points and wins of each seat in a match, and its result against each other seat."""
    first, seats = places.count(1), range(len(places))
    return tuple(
        MatchScoreOfSeat(
            points_of(worth, places, seat),
            Fraction(places[seat] == 1, max(1, first)),
            tuple((other, _half_points_against(places, seat, other)) for other in seats if other != seat),
        )
        for seat in seats
    )


def resting_entries(paired: RoundPaired) -> tuple[int, ...]:
    """Return the bots that have a bye in a round."""
    return (*paired.byes, *(rest.entry for rest in paired.rests))


def starting_points_of(league: LeagueState, begun: StageState) -> dict[int, Fraction]:
    """Return each bot's points at the start of a league stage."""
    # Kept from the stage before, or granted for entering late.
    if begun.entries:
        return {one.entry: Fraction(one.points) for one in begun.entries}
    return {entrant.entry: Fraction(entrant.points) for entrant in league.entrants}


def rounds_of(league: LeagueState, begun: StageState) -> tuple[RoundPaired, ...]:
    """Return the rounds of a stage that have been paired so far."""
    after = next((later.first for later in league.begun if later.number == begun.number + 1), None)
    return league.rounds[begun.first - 1 : after and after - 1]


def tallies_of(league: LeagueState, begun: StageState) -> dict[int, EntrantStageTotals]:
    """Return each bot's totals over a league stage, in the order in which the stage lists them."""
    stage = league.stages[begun.number - 1]
    tallies = {entry: EntrantStageTotals(points=points) for entry, points in starting_points_of(league, begun).items()}
    rounds = rounds_of(league, begun)
    for paired in rounds:
        if paired.round <= league.closed_rounds:
            for entry, points in rests_of(paired, stage).items():
                tallies[entry].points += points
                tallies[entry].rests.append((paired.round, points))
    last = begun.first + len(rounds)
    results = [one for one in league.results if begun.first <= one.round < last]
    _add_points(tallies, _scoring_units(stage, results, league.header.rules))
    _count_results(tallies, results)
    return tallies


def rests_of(paired: RoundPaired, stage: StageSettings) -> dict[int, Fraction]:
    """Return the points granted to each bot that has a bye in a round."""
    win = WIN * stage.games
    return dict.fromkeys(paired.byes, win) | {rest.entry: Fraction(rest.points) for rest in paired.rests}


class _ScoringUnit(NamedTuple):
    """Result to score: that of one match, or the combined result of all matches of a table in a round."""

    seating: Sequence[int]
    places: tuple[int, ...]
    worth: Worth
    matches: int = 1


def _scoring_units(stage: StageSettings, results: Sequence[ResultRecorded], rules: int) -> list[_ScoringUnit]:
    """Return one result per match, or one per table and round if `stage.scored` is "blocks"."""
    units = [_ScoringUnit(result.seating, result.places, _worth_of(stage, result, rules)) for result in results]
    if stage.scored == "matches":
        return units
    blocks = defaultdict[tuple[int, int], list[_ScoringUnit]](list)
    for result, unit in zip(results, units, strict=True):
        blocks[result.round, result.table].append(unit)
    return [_combine_block(stage.worth, block) for block in blocks.values()]


def _worth_of(stage: StageSettings, result: ResultRecorded, rules: int) -> Worth:
    """Return the scoring rule for a match, which is normally the rule of its stage.

    If a ruling gave first place to all bots, the rule "shared" replaces the rule "wins".
    """
    # Such a match failed too often, and the league's rule gave first place to all. A full win for each would
    # be worth more than any real result. Since version 2 of the league rules, the seats divide the points of one win.
    is_shared = result.ruled == "share" and max(result.places) == 1  # an organiser may have overruled it
    return "shared" if rules >= 2 and is_shared and stage.worth == "wins" else stage.worth


def _combine_block(worth: Worth, matches: Sequence[_ScoringUnit]) -> _ScoringUnit:
    """Combine the matches of a table into one result. Its places follow the total points of the bots."""
    sums = dict.fromkeys(matches[0].seating, Fraction(0))
    for match in matches:
        for entry, gain in zip(match.seating, seat_gains(match.worth, match.places), strict=True):
            sums[entry] += gain.points
    if {match.worth for match in matches} == {"shared"}:
        worth = "shared"
    return _ScoringUnit(tuple(sums), tuple(rank_by_keys(list(sums.values()))), worth, len(matches))


def _add_points(tallies: Mapping[int, EntrantStageTotals], scored: Sequence[_ScoringUnit]) -> None:
    # Adding fractions is slow, so the points are first converted to whole multiples of a common fraction.
    gains = {(one.worth, one.places): seat_gains(one.worth, one.places) for one in scored}
    unit = lcm(*(gain.points.denominator for seats in gains.values() for gain in seats))
    units = {key: [int(gain.points * unit) for gain in seats] for key, seats in gains.items()}
    points = defaultdict[int, int](int)
    for seating, places, worth, matches in scored:
        for entry, its_points in zip(seating, units[worth, places], strict=True):
            points[entry] += matches * its_points
    for entry, its_points in points.items():
        tallies[entry].points += Fraction(its_points, unit)


def _count_results(tallies: Mapping[int, EntrantStageTotals], results: Sequence[ResultRecorded]) -> None:
    """Add the match results to the bots' totals: wins, scores, opponents and missed moves, but not points."""
    gains = {one.places: seat_gains("places", one.places) for one in results}  # wins do not depend on the rule
    unit = lcm(*(gain.wins.denominator for seats in gains.values() for gain in seats))
    units = {places: [(int(gain.wins * unit), gain.against) for gain in seats] for places, seats in gains.items()}
    wins = defaultdict[int, int](int)
    for result in results:
        seating, excuses = result.seating, result.excuses or (0,) * len(result.seating)
        seats = zip(seating, units[result.places], result.scores, excuses, strict=True)
        for entry, (its_wins, against), score, excused in seats:
            tally = tallies[entry]
            wins[entry] += its_wins
            tally.score += score
            tally.played += 1
            tally.excuses += excused
            tally.met.setdefault(result.round, []).extend([(seating[other], halves) for other, halves in against])
    for entry, its_wins in wins.items():
        tallies[entry].wins += Fraction(its_wins, unit)


def cross_table(league: LeagueState, among: Collection[int]) -> dict[tuple[int, int], tuple[Fraction, int]]:
    """Map each pair (bot, opponent) to (matches won, matches played). A tie counts as half a win."""
    cells: dict[tuple[int, int], tuple[Fraction, int]] = defaultdict(lambda: (Fraction(0), 0))
    for result in league.results:
        seated = [(seat, entry) for seat, entry in enumerate(result.seating) if entry in among]
        for (seat, entry), (other, opponent) in permutations(seated, 2):
            won, of = cells[entry, opponent]
            cells[entry, opponent] = (won + result_against(result.places, seat, other), of + 1)
    return dict(cells)
