"""Knockout: the better half of each table advances."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest

from ftk_core.league.event_audit import LeagueEventStreamAudit
from ftk_core.league.league_command_handlers import record
from ftk_core.league.organiser_command_handlers import excuse_entry, withdraw_from_league
from ftk_core.league.scoring.entrant_stage_totals import resting_entries
from ftk_core.league.scoring.tiebreaks import default_tiebreaks
from ftk_core.league.standings import standings
from tests.support.results import build_result
from tests.support.stages import ORGANISER, LeagueRun, list_round_tables, play_league, stage


def test_in_the_first_round_of_a_knockout_the_top_seed_meets_the_bottom_seed() -> None:
    run = LeagueRun(stage("knockout"), entries=8)
    run.pair()
    assert {frozenset(table) for table in list_round_tables(run, 1)} == {frozenset((n, 9 - n)) for n in range(1, 5)}


def test_the_top_seeds_of_a_knockout_have_byes_if_the_bracket_is_not_full() -> None:
    run = LeagueRun(stage("knockout"), entries=11)
    run.pair()
    assert resting_entries(run.league.rounds[0]) == (1, 2, 3, 4, 5)
    assert {frozenset(table) for table in list_round_tables(run, 1)} == {frozenset((n, 17 - n)) for n in (6, 7, 8)}


@pytest.mark.parametrize(("entries", "rounds"), [(2, 1), (3, 2), (4, 2), (8, 3), (9, 4), (16, 4), (31, 5)])
def test_each_round_of_a_two_player_knockout_halves_the_number_of_entries(entries: int, rounds: int) -> None:
    league = play_league(stage("knockout"), entries=entries).league
    remaining = [2 * len(paired.tables) + len(resting_entries(paired)) for paired in league.rounds]
    assert remaining == [entries, *(2**left for left in range(rounds - 1, 0, -1))]


def test_a_knockout_ranks_entries_by_the_last_round_that_they_reach() -> None:
    run = play_league(stage("knockout", games=3), entries=8, seed=39)
    rows = {row.entry: row for row in standings(run.league)}
    reached = {entry: number for number in (1, 2, 3) for table in list_round_tables(run, number) for entry in table}
    pairs = [(rows[one], rows[other]) for one, other in permutations(rows, 2) if reached[one] > reached[other]]
    assert all(later.place < earlier.place for later, earlier in pairs)
    assert any(later.points < earlier.points for later, earlier in pairs), "points would give another order"


def test_in_a_knockout_the_best_two_entries_advance_from_each_table_of_four() -> None:
    run = play_league(stage("knockout", seats=4), entries=16)
    assert [len(paired.tables) for paired in run.league.rounds] == [4, 2, 1]
    for result in run.league.results[:-1]:
        places = dict(zip(result.seating, result.places, strict=True))
        on = {entry for table in list_round_tables(run, result.round + 1) for entry in table if entry in places}
        assert len(on) == 2
        assert max(places[entry] for entry in on) <= min(place for entry, place in places.items() if entry not in on)


@pytest.mark.parametrize(("rules", "place"), [(1, 5), (2, 8)])
def test_since_league_rules_version_2_an_entry_absent_from_the_first_knockout_round_ranks_last(
    rules: int, place: int
) -> None:
    run = LeagueRun(stage("knockout"), entries=8, rules=rules)
    run.append(excuse_entry(run.league, 3, [1], ORGANISER))
    run.finish()
    assert 3 not in {entry for table in list_round_tables(run, 1) for entry in table}
    assert {row.entry: row.place for row in standings(run.league)}[3] == place
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []


def test_an_entry_that_was_absent_from_the_first_round_of_a_knockout_fills_no_table_before_its_losers() -> None:
    run = LeagueRun(stage("knockout", seats=4, least=4), entries=9)
    run.append(excuse_entry(run.league, 1, [1], ORGANISER))
    run.pair()
    run.play()
    result = run.league.results[0]
    winner = result.seating[result.places.index(1)]
    run.append(withdraw_from_league(run.league, winner, ORGANISER))
    run.pair()
    assert [1 in table for table in list_round_tables(run, 2)] == [False]


def play_knockout_of_eight(act: Callable[[LeagueRun], None], rules: int) -> LeagueRun:
    """Play a knockout in which the lower entry number always wins; `act` is called in each round."""
    terms = stage("knockout", seeding="lot", absence="half", tiebreaks=default_tiebreaks(2))
    run = LeagueRun(terms, entries=8, rules=rules)
    while run.pair():
        act(run)
        paired = run.league.rounds[-1]
        strengths = {entry: -entry for entry in range(1, 9)}
        results = [
            build_result(paired.round, table, 0, {entry: strengths[entry] for entry in table.seating})
            for table in paired.tables
        ]
        run.append(*record(run.league, *results))
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []
    return run


@pytest.mark.parametrize(("rules", "third"), [(1, 3), (2, 4)])
def test_since_league_rules_version_2_withdrawing_an_eliminated_entry_changes_no_places_of_a_knockout(
    rules: int, third: int
) -> None:
    def withdraw_before_the_final(run: LeagueRun) -> None:
        if len(run.league.rounds) == 3:
            run.append(withdraw_from_league(run.league, 5, ORGANISER))

    quiet = play_knockout_of_eight(lambda _run: None, rules).league
    assert [row.entry for row in standings(quiet)[:4]] == [1, 2, 4, 3]
    final = standings(play_knockout_of_eight(withdraw_before_the_final, rules).league)
    assert final[2].entry == third
    assert (final == standings(quiet)) is (rules >= 2)


@pytest.mark.parametrize(("rules", "rests"), [(1, 2), (2, 0)])
def test_since_league_rules_version_2_an_entry_excused_after_its_elimination_gets_no_bye(
    rules: int, rests: int
) -> None:
    def excuse_in_round_1(run: LeagueRun) -> None:
        if len(run.league.rounds) == 1:
            run.append(excuse_entry(run.league, 8, [2, 3], ORGANISER))

    league = play_knockout_of_eight(excuse_in_round_1, rules).league
    rows = {row.entry: row for row in standings(league)}
    assert (rows[8].byes, rows[8].points) == (rests, rests / 2)
    assert (standings(league) == standings(play_knockout_of_eight(lambda _run: None, rules).league)) is (rests == 0)


def test_an_entry_excused_before_its_elimination_from_a_knockout_gets_exactly_one_bye() -> None:
    def excuse_in_round_1(run: LeagueRun) -> None:
        if len(run.league.rounds) == 1:
            run.append(excuse_entry(run.league, 1, [2, 3], ORGANISER))

    league = play_knockout_of_eight(excuse_in_round_1, 2).league
    absences = [[one.entry for one in paired.rests if one.why == "absent"] for paired in league.rounds]
    assert absences == [[], [1], []]
