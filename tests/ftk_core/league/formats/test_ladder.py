"""Ladder: entries move up and down from table to table."""

from __future__ import annotations

import pytest

from ftk_core.league.event_audit import LeagueEventStreamAudit
from ftk_core.league.league_facts import ResultRecorded
from ftk_core.league.organiser_command_handlers import excuse_entry, return_entry, withdraw_from_league
from ftk_core.league.scoring.entrant_stage_totals import resting_entries
from ftk_core.league.standings import standings
from tests.support.stages import ORGANISER, LeagueRun, list_round_tables, stage


def rank_entries(result: ResultRecorded) -> list[int]:
    """Return the entries of a match by place; no place may be shared."""
    assert len(set(result.places)) == len(result.places)
    return [entry for _, entry in sorted(zip(result.places, result.seating, strict=True))]


def test_the_ladder_format_moves_the_winner_of_a_table_one_table_up_and_the_last_bot_one_down() -> None:
    run = LeagueRun(stage("ladder", seats=3, least=3, rounds=2), entries=9)
    run.pair()
    assert [sorted(table) for table in list_round_tables(run, 1)] == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    run.play()
    upper, middle, lower = (rank_entries(result) for result in run.league.results)
    run.pair()
    assert [set(table) for table in list_round_tables(run, 2)] == [
        {*upper[:2], middle[0]},
        {upper[2], middle[1], lower[0]},
        {middle[2], *lower[1:]},
    ]


def test_the_standings_of_the_ladder_format_are_the_order_of_the_ladder() -> None:
    run = LeagueRun(stage("ladder", seats=5, rounds=1), entries=10, seed=6)
    run.finish()
    upper, lower = (rank_entries(result) for result in run.league.results)
    order = [*upper[:4], lower[0], upper[4], *lower[1:]]
    assert [(row.place, row.entry) for row in standings(run.league)] == list(enumerate(order, 1))


def test_the_lowest_entries_of_a_ladder_round_have_byes_if_its_last_table_cannot_be_filled() -> None:
    run = LeagueRun(stage("ladder", seats=4, least=4, rounds=1), entries=10)
    run.pair()
    assert resting_entries(run.league.rounds[0]) == (9, 10)


def play_rounds(run: LeagueRun, rounds: int) -> None:
    """Play this many rounds."""
    for _ in range(rounds):
        run.pair()
        run.play()


def list_final_order(run: LeagueRun) -> list[int]:
    """Play the league to its end and return its entries, best first; its events must be valid."""
    run.finish()
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []
    return [row.entry for row in standings(run.league)]


@pytest.mark.parametrize("seed", range(1, 7))
def test_an_entry_that_withdraws_from_a_ladder_before_the_start_is_last(seed: int) -> None:
    run = LeagueRun(stage("ladder", rounds=4, seeding="lot"), entries=6, seed=seed)
    run.append(withdraw_from_league(run.league, 1, ORGANISER))
    assert list_final_order(run)[-1] == 1


@pytest.mark.parametrize(("rules", "place"), [(1, 1), (2, 8)])
def test_since_league_rules_version_2_a_ladder_leader_who_withdraws_ranks_behind_all_remaining_entries(
    rules: int, place: int
) -> None:
    run = LeagueRun(stage("ladder", rounds=6, seeding="lot"), entries=8, rules=rules)
    play_rounds(run, 1)
    leader = standings(run.league)[0].entry
    run.append(withdraw_from_league(run.league, leader, ORGANISER))
    assert standings(run.league)[0].entry == leader, "it took part in the last closed round"
    assert list_final_order(run)[place - 1] == leader


def test_an_entry_that_returns_during_the_last_ladder_round_ranks_behind_all_entries_that_played_that_round() -> None:
    run = LeagueRun(stage("ladder", rounds=3), entries=5)
    run.append(withdraw_from_league(run.league, 1, ORGANISER))
    play_rounds(run, 2)
    run.pair()
    run.append(return_entry(run.league, 1, ORGANISER))
    assert list_final_order(run)[-1] == 1


def test_an_entry_that_comes_back_to_a_ladder_takes_its_old_position_once_it_has_played() -> None:
    run = LeagueRun(stage("ladder", rounds=3), entries=6)
    run.append(withdraw_from_league(run.league, 1, ORGANISER))
    play_rounds(run, 1)
    run.append(return_entry(run.league, 1, ORGANISER))
    play_rounds(run, 1)
    assert 1 in list_round_tables(run, 2)[0]
    assert 1 in [row.entry for row in standings(run.league)[:3]]


def test_an_entry_that_is_excused_from_the_last_round_of_a_ladder_keeps_its_position() -> None:
    run = LeagueRun(stage("ladder", rounds=3), entries=5)
    play_rounds(run, 2)
    leader = standings(run.league)[0].entry
    run.append(excuse_entry(run.league, leader, [3], ORGANISER))
    assert list_final_order(run)[0] == leader
