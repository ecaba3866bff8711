"""Copies of a bot do not change the clone-invariant ranking, and cycles are detected."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from ftk_core.league.court_rating import MatchArrays, fit_ratings
from ftk_core.league.statistics.deviation_rating_computation import Margins, deviation_ratings, find_cycles, margins_of
from tests.support.lengths import short_or_long

PRECISION = 5e-5
"""Half a unit of the fourth digit, to which scores are shown."""
PAPER = np.array([[0, -1, 1, 1], [1, 0, -1, 1], [-1, 1, 0, 1], [-1, -1, -1, 0]], dtype=float)
"""Rock, paper and scissors, and a bot that loses against all of them."""


def field(number: int, bots: int) -> Margins:
    """Return the margins of bots of unlike strength that also beat each other in circles."""
    draw = np.random.default_rng(number)
    strength, style = draw.normal(0, 1, bots), draw.normal(0, 1, (bots, 2))
    circle = style[:, :1] * style[:, 1] - style[:, 1:] * style[:, 0]
    return np.tanh((strength[:, None] - strength + 2 * circle) / 4)


def copied(margins: Margins, bot: int, copies: int) -> Margins:
    """Return the margins with copies of a bot behind all others; copies are equal to each other."""
    which = [*range(len(margins)), *[bot] * copies]
    return margins[np.ix_(which, which)]


def order(values: list[float | None]) -> list[int]:
    return sorted(range(len(values)), key=lambda bot: (-(values[bot] or 0), bot))


def test_bots_that_beat_each_other_in_a_cycle_share_the_first_place_by_deviation_rating() -> None:
    assert deviation_ratings(PAPER) == pytest.approx([0, 0, 0, -1])


def test_deviation_ratings_rank_the_stronger_bot_first_if_results_have_no_cycles() -> None:
    strength = np.linspace(1, -1, 6)
    values = deviation_ratings(np.tanh(strength[:, None] - strength))
    assert order(values) == list(range(6))
    assert len(set(values)) == 6


@pytest.mark.parametrize("bots", [2, 5, 12])
def test_adding_ten_copies_of_a_bot_changes_no_deviation_rating_of_the_other_bots(bots: int) -> None:
    for number in range(short_or_long(1, 60)):
        margins = field(number, bots)
        alone = deviation_ratings(margins)
        for bot in range(short_or_long(2, bots)):
            assert deviation_ratings(copied(margins, bot, 10))[:bots] == pytest.approx(alone, abs=PRECISION)


def test_only_the_best_bots_get_a_deviation_rating_if_their_number_is_limited() -> None:
    margins = field(1, 12)
    whole, best = deviation_ratings(margins), deviation_ratings(margins, most=4)
    assert [value for value in best if value is not None] == [
        value for value, short in zip(whole, best, strict=True) if short is not None
    ]
    assert 4 <= sum(value is not None for value in best) < 12
    assert set(order(whole)[:4]) <= {bot for bot, value in enumerate(best) if value is not None}


def matches_at_tables(number: int, seats: int, margins: Margins, tables: int) -> MatchArrays:
    """Return matches at tables of that size in which bots with better mean margins tend to finish ahead."""
    draw = np.random.default_rng(number)
    versions = np.array([draw.permutation(len(margins))[:seats] for _ in range(tables)])
    edge = np.array([margins[np.ix_(row, row)].sum(axis=1) for row in versions])
    luck = 2 * edge + draw.gumbel(size=edge.shape)
    return MatchArrays(versions, 1 + (-luck).argsort(axis=1).argsort(axis=1), ())


def sums(played: MatchArrays, bots: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the half points and the meetings of all pairs."""
    halves, matches = np.zeros((bots, bots), dtype=np.int64), np.zeros((bots, bots), dtype=np.int64)
    for seat in range(played.versions.shape[1]):
        for other in range(played.versions.shape[1]):
            if seat != other:
                pair = played.versions[:, seat], played.versions[:, other]
                np.add.at(matches, pair, 1)
                np.add.at(halves, pair, 2 * (played.places[:, seat] < played.places[:, other]))
    return halves, matches


@pytest.mark.parametrize("seats", [2, 4, 6, 12])
def test_adding_ten_bots_with_copied_results_changes_no_deviation_rating_at_any_table_size(seats: int) -> None:
    bots = 12
    halves, matches = sums(matches_at_tables(seats, seats, field(3, bots), 600), bots)
    alone = deviation_ratings(margins_of(halves, matches))
    which = [*range(bots), *[4] * 10]
    more_halves, more_matches = halves[np.ix_(which, which)], matches[np.ix_(which, which)]
    assert deviation_ratings(margins_of(more_halves, more_matches))[:bots] == pytest.approx(alone, abs=PRECISION)


def test_adding_copies_of_a_bot_can_change_the_order_by_court_rating() -> None:
    """Control experiment: copies do change the order by another rating."""
    margins, none = field(5, 8), np.full(18, -1)

    def ranked(which: list[int]) -> list[int]:
        own = margins[np.ix_(which, which)]
        pairs = [(one, other, at) for one in range(len(which)) for other in range(one) for at in range(40)]
        first = np.array([at < 20 * (1 + own[one, other]) for one, other, at in pairs])
        places = np.where(first[:, None], [1, 2], [2, 1])
        court = fit_ratings([MatchArrays(np.array(pairs)[:, :2], places, ())], none[: len(which)])
        return sorted(range(8), key=lambda bot: -court.rated(bot).rating)

    assert any(ranked([*range(8), *[bot] * 10]) != ranked(list(range(8))) for bot in range(3))


def played_pairs(number: int, expected: NDArray[np.float64], meetings: int) -> tuple[Margins, NDArray[np.int64]]:
    """Return margins and meetings of bots of which each beats the others with the expected probability."""
    wins = np.tril(np.random.default_rng(number).binomial(meetings, expected), -1)
    matches = meetings * (1 - np.eye(len(expected), dtype=np.int64))
    return margins_of(2 * (wins + np.tril(meetings - wins, -1).T), matches), matches


@pytest.mark.parametrize(("bots", "meetings"), [(50, 10), (20, 10), (5, 3)])
def test_ladders_of_equally_strong_bots_show_a_cycle_in_at_most_5_percent_of_cases(bots: int, meetings: int) -> None:
    ladders = (played_pairs(number, np.full((bots, bots), 0.5), meetings) for number in range(100))
    assert sum(find_cycles(*ladder) != [] for ladder in ladders) <= 5


def test_a_cycle_of_three_bots_among_50_is_found_if_its_bots_beat_each_other_in_80_percent_of_60_meetings() -> None:
    expected = np.full((50, 50), 0.5)
    for one, other in ((1, 0), (2, 1), (0, 2)):
        expected[one, other], expected[other, one] = 0.8, 0.2
    assert [set(cycle.bots) for cycle in find_cycles(*played_pairs(1, expected, 60))] == [{0, 1, 2}]


def test_a_cycle_of_three_bots_is_reported_after_five_matches_per_pair_but_not_after_three() -> None:
    three = np.full((3, 3), 3)
    assert find_cycles(margins_of((3 * PAPER[:3, :3]).astype(np.int64) + three, three), three) == []
    five = np.full((3, 3), 5)
    assert len(find_cycles(margins_of((5 * PAPER[:3, :3]).astype(np.int64) + five, five), five)) == 1


def test_cycles_are_listed_in_order_of_clarity_and_insignificant_cycles_are_not_listed() -> None:
    matches = np.full((4, 4), 100)
    (cycle,) = find_cycles(PAPER, matches)
    assert (cycle.bots, cycle.margins) == ((0, 2, 1), (1, 1, 1))
    assert find_cycles(0.05 * PAPER, matches) == []
    once = np.ones((4, 4), dtype=np.int64)
    assert find_cycles(margins_of((PAPER + 1).astype(np.int64), once), once) == []
    many = find_cycles(field(2, 30), np.full((30, 30), 1000))
    assert len(many) == 5
    assert [min(one.margins) for one in many] == sorted((min(one.margins) for one in many), reverse=True)
