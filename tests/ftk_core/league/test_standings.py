"""The standings of a league and the reason for each place."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from ftk_core.game import rank_by_keys
from ftk_core.league.league_command_handlers import record
from ftk_core.league.league_facts import RoundClosed
from ftk_core.league.league_state_from_events import apply_fact, fold_facts
from ftk_core.league.match_result_command_handlers import overrule_result
from ftk_core.league.match_seating_and_random_seeds import rotate_seating
from ftk_core.league.pairing_checks import flaws
from ftk_core.league.pairing_checks.league_history import LeagueHistory
from ftk_core.league.scoring.entrant_stage_totals import (
    cross_table,
    points_of,
    resting_entries,
    result_against,
    share_left_behind,
)
from ftk_core.league.scoring.tiebreak_inputs import Exact
from ftk_core.league.scoring.tiebreaks import UNANNOUNCED_TIEBREAKS
from ftk_core.league.standings import standings
from tests.support.pairing.events import make_result, play_event
from tests.support.results import build_result
from tests.support.stages import ORGANISER, LeagueRun, play_league, stage
from tests.support.states import build_league_state, build_league_with_results, pair, play_rounds


def test_the_score_of_a_place_is_the_fraction_of_opponents_beaten_with_ties_counted_half() -> None:
    assert [share_left_behind((1, 2, 2, 4), seat) for seat in range(4)] == [1, Fraction(1, 2), Fraction(1, 2), 0]
    assert share_left_behind((1, 1), 0) == Fraction(1, 2)


def test_entries_with_different_points_are_ordered_by_points_in_the_standings() -> None:
    rows = standings(build_league_with_results(((1, 2), (1, 2)), ((3, 4), (1, 1)), ((1, 3), (2, 1))))
    assert [(row.entry, row.points) for row in rows] == [
        (3, Fraction(3, 2)),
        (1, 1),
        (4, Fraction(1, 2)),
        (2, 0),
    ]


def test_entries_equal_in_all_criteria_share_a_place() -> None:
    rows = standings(build_league_with_results(((1, 2), (1, 1)), ((3, 4), (1, 1))))
    assert {row.place for row in rows} == {1}


def test_a_bye_counts_as_a_win_once_its_round_is_closed() -> None:
    league = play_rounds(build_league_state(3, 2), 1)
    (entry,) = resting_entries(league.rounds[0])
    row = next(row for row in standings(league) if row.entry == entry)
    assert (row.points, row.byes, row.played) == (1, 1, 0)


def test_each_table_of_four_bots_awards_two_points_in_total_per_round() -> None:
    league = play_rounds(build_league_state(12, 4), 5)
    assert sum(row.points for row in standings(league)) == 5 * 3 * 2


def test_the_cross_table_is_antisymmetric() -> None:
    league = play_rounds(build_league_state(8, 4), 3)
    cells = cross_table(league, range(1, 9))
    assert len(cells) >= 8 * 3
    assert cross_table(league, {1, 2, 3}) == {pair: cell for pair, cell in cells.items() if max(pair) < 4}
    for (one, other), (won, of) in cells.items():
        assert cells[other, one] == (of - won, of)


def test_the_league_settings_decide_if_several_winners_get_one_point_each_or_divide_one_point() -> None:
    """In Kings Court several players can win together. Each gets a point, unless the league shares one point."""
    places = (1, 3, 1, 3)
    assert [points_of("wins", places, seat) for seat in range(4)] == [1, 0, 1, 0]
    assert [points_of("shared", places, seat) for seat in range(4)] == [Fraction(1, 2), 0, Fraction(1, 2), 0]
    assert points_of("places", places, 0) == share_left_behind(places, 0)


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        (((3, 0), (3, 0), (0, 9)), (3, 0)),
        (((3, 0), (0, 3)), (1, 1)),
        (((3, 1, 0), (3, 1, 0), (0, 1, 3)), (3, Fraction(3, 2), 0)),
        (((3, 1, 0), (0, 1, 3)), (1, 1, 1)),
    ],
)
def test_block_scoring_awards_points_by_the_total_score_of_all_matches_at_a_table(
    scores: tuple[tuple[int, ...], ...], points: tuple[Exact, ...]
) -> None:
    run = LeagueRun(
        stage("swiss", seats=len(points), rounds=1, games=len(scores), scored="blocks"), entries=len(points)
    )
    run.pair()
    table = run.league.rounds[0].tables[0]
    for game, score in enumerate(scores):
        form = {entry: score[entry - 1] for entry in rotate_seating(table.seating, game)}
        run.append(*record(run.league, build_result(1, table, game, form)))
    rows = {row.entry: row for row in standings(run.league)}
    assert tuple(rows[entry].points for entry in sorted(rows)) == points
    assert list(flaws(run.facts)) == []


@pytest.mark.parametrize(
    ("scored", "rulings", "rules", "points"),
    [
        ("matches", 1, 2, Fraction(1, 4)),
        ("matches", 1, 1, 1),
        ("blocks", 2, 2, Fraction(1, 2)),
        ("blocks", 1, 2, 2),
    ],
)
def test_the_league_rules_version_decides_the_points_of_an_unplayed_match_that_was_declared_a_tie(
    scored: str, rulings: int, rules: int, points: Exact
) -> None:
    """One match of a block that was played to a draw is enough: all four bots then win the block."""
    games = 2 if scored == "blocks" else 1
    run = LeagueRun(stage("swiss", seats=4, rounds=1, games=games, scored=scored, worth="wins"), entries=4, rules=rules)
    run.pair()
    table, history = run.league.rounds[0].tables[0], LeagueHistory(opened=run.facts[0])  # type: ignore[arg-type]  # it is the opening
    for game in range(games):
        result = build_result(1, table, game, dict.fromkeys(rotate_seating(table.seating, game), 0))
        run.append(*record(run.league, replace(result, ruled="share" if game < rulings else None)))
    for fact in run.facts[1:]:
        history.count(fact)
    assert {row.points for row in standings(run.league)} == {points}
    assert set(history.points.values()) == {points * history.unit}


def test_overruling_the_declared_tie_of_an_unplayed_match_awards_points_as_after_a_played_match() -> None:
    run = LeagueRun(stage("swiss", seats=4, rounds=1, worth="wins"), entries=4)
    run.pair()
    result = build_result(1, run.league.rounds[0].tables[0], 0, {1: 0, 2: 0, 3: 0, 4: 0})
    run.append(*record(run.league, replace(result, ruled="share")))
    run.append(overrule_result(run.league, (1, 1, 0), (1, 1, 3, 4), ORGANISER))
    assert [row.points for row in standings(run.league)] == [1, 1, 0, 0]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=30))
def test_the_place_of_an_entry_is_one_more_than_the_number_of_better_entries(keys: list[tuple[int, int]]) -> None:
    assert rank_by_keys(keys) == tuple(1 + sum(other > key for other in keys) for key in keys)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(12))
def test_standings_equal_an_independent_computation_with_fractions(number: int) -> None:
    league = play_event(number).league
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
                    met.append((entry, opponent, result_against(one.places, seat, other)))
    for row in standings(league):
        values = dict(zip(UNANNOUNCED_TIEBREAKS, row.tiebreaks, strict=True))
        mine = [(opponent, won) for entry, opponent, won in met if entry == row.entry]
        assert row.points == points[row.entry]
        assert values["opposition"] == sum(points[opponent] for opponent, _ in mine) / Fraction(max(1, len(mine)))
        assert values["quality"] == sum(won * points[opponent] for opponent, won in mine)


@pytest.mark.parametrize("number", range(12))
def test_applying_the_events_of_a_league_in_two_parts_gives_the_same_state(number: int) -> None:
    made = play_event(number)
    assert fold_facts(made.facts) == made.league
    cut = Random(number).randrange(len(made.facts))
    assert fold_facts(made.facts[cut:], fold_facts(made.facts[:cut])) == made.league


def test_a_result_counts_once_whether_recorded_individually_or_together_with_others() -> None:
    league = apply_fact(build_league_state(8, 2), pair(build_league_state(8, 2)))
    results = [make_result(Random(1), 1, table, 0) for table in league.rounds[-1].tables]
    together = record(league, *results, *results)
    assert together == (*results, RoundClosed(1))
    for one in results[:-1]:
        assert record(league, one) == (one,)
        league = apply_fact(league, one)
        assert record(league, one) == ()
    assert record(league, *results) == together[-2:]
    assert record(fold_facts(together[-2:], league), *results) == ()


def test_entries_in_a_knockout_played_as_third_stage_are_ranked_by_the_round_that_they_reached() -> None:
    stages = (stage("groups", groups=2), stage("swiss", rounds=3, qualify=6), stage("knockout", qualify=4))
    rows = standings(play_league(*stages, entries=8).league)
    assert [row.stage for row in rows] == [3, 3, 3, 3, 2, 2, 1, 1]
    first, second, *others = (row.level for row in rows)
    assert first > second > 0
    assert max(others) < second
