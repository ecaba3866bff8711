"""Who stands where, and why."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ftk_core.game import places_by
from ftk_core.league.checking import flaws
from ftk_core.league.commands import record
from ftk_core.league.deals import turned
from ftk_core.league.facts import RoundClosed
from ftk_core.league.folding import apply, fold
from ftk_core.league.ledger import Exact
from ftk_core.league.standings import standings
from ftk_core.league.tallies import against, cross_table, points_of, resting, share
from ftk_core.league.tiebreaks import FORMER
from tests.support.pairing.events import event, result
from tests.support.results import result_of
from tests.support.stages import Run, stage
from tests.support.states import after, league_of, pair, with_results


def test_a_place_is_worth_the_share_of_opponents_left_behind() -> None:
    assert [share((1, 2, 2, 4), seat) for seat in range(4)] == [1, Fraction(1, 2), Fraction(1, 2), 0]
    assert share((1, 1), 0) == Fraction(1, 2)


def test_points_come_before_wins_and_wins_before_the_opposition() -> None:
    rows = standings(with_results(((1, 2), (1, 2)), ((3, 4), (1, 1)), ((1, 3), (2, 1))))
    assert [(row.entry, row.points) for row in rows] == [
        (3, Fraction(3, 2)),
        (1, 1),
        (4, Fraction(1, 2)),
        (2, 0),
    ]


def test_entries_equal_in_everything_share_a_place() -> None:
    rows = standings(with_results(((1, 2), (1, 1)), ((3, 4), (1, 1))))
    assert {row.place for row in rows} == {1}


def test_a_bye_is_worth_a_win_once_its_round_is_closed() -> None:
    league = after(league_of(3, 2), 1)
    (entry,) = resting(league.rounds[0])
    row = next(row for row in standings(league) if row.entry == entry)
    assert (row.points, row.byes, row.played) == (1, 1, 0)


def test_all_points_of_a_round_add_up() -> None:
    league = after(league_of(12, 4), 5)
    assert sum(row.points for row in standings(league)) == 5 * 3 * 2


def test_the_cross_table_mirrors_itself() -> None:
    league = after(league_of(8, 4), 3)
    cells = cross_table(league, range(1, 9))
    assert cross_table(league, {1, 2, 3}) == {pair: cell for pair, cell in cells.items() if max(pair) < 4}
    for (one, other), (won, of) in cells.items():
        assert cells[other, one] == (of - won, of)


def test_a_match_can_be_worth_a_point_to_each_winner_or_one_point_shared() -> None:
    """Kings Court, where several win together, counts victories unless the organiser shares them."""
    places = (1, 3, 1, 3)
    assert [points_of("wins", places, seat) for seat in range(4)] == [1, 0, 1, 0]
    assert [points_of("shared", places, seat) for seat in range(4)] == [Fraction(1, 2), 0, Fraction(1, 2), 0]
    assert points_of("places", places, 0) == share(places, 0)


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        (((3, 0), (3, 0), (0, 9)), (3, 0)),
        (((3, 0), (0, 3)), (1, 1)),
        (((3, 1, 0), (3, 1, 0), (0, 1, 3)), (3, Fraction(3, 2), 0)),
        (((3, 1, 0), (0, 1, 3)), (1, 1, 1)),
    ],
)
def test_a_block_gives_as_much_as_all_its_matches_to_whom_they_were_worth_most_together(
    scores: tuple[tuple[int, ...], ...], points: tuple[Exact, ...]
) -> None:
    run = Run(stage("swiss", seats=len(points), rounds=1, games=len(scores), scored="blocks"), entries=len(points))
    run.pair()
    table = run.league.rounds[0].tables[0]
    for game, score in enumerate(scores):
        form = {entry: score[entry - 1] for entry in turned(table, game)}
        run.happens(*record(run.league, result_of(1, table, game, form)))
    rows = {row.entry: row for row in standings(run.league)}
    assert tuple(rows[entry].points for entry in sorted(rows)) == points
    assert list(flaws(run.facts)) == []


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=30))
def test_a_place_is_one_more_than_how_many_are_better(keys: list[tuple[int, int]]) -> None:
    assert places_by(keys) == tuple(1 + sum(other > key for other in keys) for key in keys)


@pytest.mark.parametrize("number", range(12))
def test_standings_are_what_plain_fractions_come_to(number: int) -> None:
    league = event(number).league
    worth, met = league.header.worth, list[tuple[int, int, Fraction]]()
    points = {entrant.entry: Fraction(0) for entrant in league.entrants}
    for paired in league.rounds[: league.closed_rounds]:
        for entry in paired.byes:
            points[entry] += league.header.games
    for one in league.results:
        for seat, entry in enumerate(one.seating):
            points[entry] += points_of(worth, one.places, seat)
            for other, opponent in enumerate(one.seating):
                if other != seat:
                    met.append((entry, opponent, against(one.places, seat, other)))
    for row in standings(league):
        values = dict(zip(FORMER, row.tiebreaks, strict=True))
        mine = [(opponent, won) for entry, opponent, won in met if entry == row.entry]
        assert row.points == points[row.entry]
        assert values["opposition"] == sum(points[opponent] for opponent, _ in mine) / Fraction(max(1, len(mine)))
        assert values["quality"] == sum(won * points[opponent] for opponent, won in mine)


@pytest.mark.parametrize("number", range(12))
def test_a_league_folds_to_the_same_in_pieces_of_any_size(number: int) -> None:
    made = event(number)
    assert fold(made.facts) == made.league
    cut = Random(number).randrange(len(made.facts))
    assert fold(made.facts[cut:], fold(made.facts[:cut])) == made.league


def test_results_are_recorded_together_or_one_by_one_and_each_once() -> None:
    league = apply(league_of(8, 2), pair(league_of(8, 2)))
    results = [result(Random(1), 1, table, 0) for table in league.rounds[-1].tables]
    together = record(league, *results, *results)
    assert together == (*results, RoundClosed(1))
    for one in results[:-1]:
        assert record(league, one) == (one,)
        league = apply(league, one)
        assert record(league, one) == ()
    assert record(league, *results) == together[-2:]
    assert record(fold(together[-2:], league), *results) == ()
