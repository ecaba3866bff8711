"""Every league ends by itself or by one command of its organiser, and all its draws can be recomputed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from ftk_core.games import game, list_games
from ftk_core.league import (
    league_correction_command_handlers,
    match_result_command_handlers,
    organiser_command_handlers,
)
from ftk_core.league.event_audit import LeagueEventStreamAudit
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.formats import list_formats
from ftk_core.league.intervention_facts import Act
from ftk_core.league.league_command_handlers import planned_rounds, proceed, record, round_end_facts
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.league_state_from_events import decode_fact, encode_fact, fold_facts
from ftk_core.league.match_seating_and_random_seeds import derive_match_id
from ftk_core.league.pairing_checks import flaws
from ftk_core.league.standings import standings
from ftk_core.league.statistics.round_seed_hash_chain import next_link
from ftk_core.random_streams import seed_of
from tests.support.any_leagues import AnyLeague
from tests.support.lengths import short_or_long
from tests.support.results import build_result
from tests.support.stages import ORGANISER, LeagueRun, list_round_tables, play_league, stage

EACH = short_or_long(2, 67)
"""Number of leagues in each of the 30 cases."""


@pytest.mark.slow
@pytest.mark.parametrize("case", range(30))
def test_a_league_with_random_settings_ends_after_at_most_one_command_and_passes_the_audit(case: int) -> None:
    for number in range(case * 1000, case * 1000 + EACH):
        league = AnyLeague(number)
        if league.refusal():
            continue  # this league cannot be announced
        league.finish()
        assert league.league.closed
        assert len(league.stuck) <= 1, league.stuck
        assert all(len(sentence.split()) > 4 for sentence in league.stuck)
        assert list(flaws(league.facts, certificates_alone=True)) == []
        assert list(LeagueEventStreamAudit(league.facts).flaws()) == []
        assert fold_facts(decode_fact(encode_fact(fact)) for fact in league.facts) == league.league
        entries = list(range(1, len(league.league.entrants) + 1))
        assert sorted(row.entry for row in standings(league.league)) == entries


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(list_formats()))
@pytest.mark.parametrize("rules", sorted(list_games()))
def test_a_league_of_every_format_comes_to_its_end_with_any_allowed_number_of_entries(name: str, rules: str) -> None:
    seats, rounds = game(rules).seats, 2 if list_formats()[name].counted else 0
    one = stage(name, seats=seats[-1] if rules != "kings_court" else 6, least=seats.start, rounds=rounds, seeding="lot")
    fewest = list_formats()[name].min_entries(one)
    for entries in range(fewest, fewest + short_or_long(9, 40)):
        run = LeagueRun(one, entries=entries, seed=entries)
        run.finish()
        assert run.league.closed
        assert len(run.league.rounds) == planned_rounds(run.league)
        assert list(LeagueEventStreamAudit(run.facts).flaws()) == []


@pytest.mark.parametrize("entries", range(6, 43))
def test_a_knockout_with_tables_of_six_to_eight_entries_ends_with_a_final_at_one_table(entries: int) -> None:
    run = play_league(stage("knockout", seats=8, least=6, seeding="lot"), entries=entries)
    (final,) = list_round_tables(run, len(run.league.rounds))
    assert 6 <= len(final) <= 8
    assert all(len(paired.tables) > 1 or paired.rests for paired in run.league.rounds[:-1])
    assert [row.place for row in standings(run.league)][:2] == [1, 2]


def cup(seed: int) -> int:
    """Play a knockout of eight equal bots in which many matches are tied; return who won it."""
    run = LeagueRun(stage("knockout", seeding="lot"), entries=8, seed=seed)
    while run.pair():
        for table in run.league.rounds[-1].tables:
            form = {entry: run.draw.randint(0, 2) for entry in table.seating}
            run.append(*record(run.league, build_result(run.league.playing, table, 0, form)))
    return next(row.entry for row in standings(run.league) if row.place == 1)


@pytest.mark.slow
def test_equally_strong_bots_win_a_knockout_equally_often() -> None:
    cups = short_or_long(200, 400)
    won = Counter(cup(seed) for seed in range(cups))
    expected = cups / 8
    chi_square = sum((won[entry] - expected) ** 2 / expected for entry in range(1, 9))
    assert chi_square < 24.3, won  # chance exceeds this once in 1,000 cases at 7 degrees of freedom


def test_the_first_opponent_in_a_knockout_does_not_depend_on_the_order_of_entry() -> None:
    opponents = Counter[int]()
    for seed in range(60):
        run = LeagueRun(stage("knockout", seeding="lot"), entries=8, seed=seed)
        run.pair()
        opponents.update(next(set(table) - {1} for table in list_round_tables(run, 1) if 1 in table))
    assert len(opponents) == 7
    assert max(opponents.values()) < 30


def test_a_knockout_seeded_by_rating_records_the_ratings_and_pairs_the_best_with_the_worst_bot() -> None:
    run = LeagueRun(stage("knockout", seeding="rating"), entries=4)
    ratings = {1: 1400, 2: 1700, 3: 1600, 4: 1500}
    run.append(*proceed(run.league, next_link(run.secret, run.league), ratings=ratings).facts)
    assert run.league.begun[-1].ratings == ratings
    assert {frozenset(table) for table in list_round_tables(run, 1)} == {frozenset({2, 1}), frozenset({3, 4})}


def test_the_opponent_of_a_finalist_withdrawn_before_the_final_wins_the_knockout() -> None:
    run = LeagueRun(stage("knockout", seeding="lot"), entries=4)
    run.pair()
    run.play()
    finalists = [row.entry for row in standings(run.league)][:2]
    run.append(organiser_command_handlers.withdraw_from_league(run.league, finalists[0], ORGANISER))
    assert not run.pair()
    assert run.league.closed
    assert [row.entry for row in standings(run.league)][:2] == [finalists[1], finalists[0]]


def test_an_entry_that_withdraws_during_the_final_of_a_knockout_loses_the_final() -> None:
    run = LeagueRun(stage("knockout", seeding="lot"), entries=2)
    run.pair()
    run.append(organiser_command_handlers.withdraw_from_league(run.league, 1, ORGANISER))
    run.finish()
    assert [row.entry for row in standings(run.league)] == [2, 1]


def test_a_withdrawal_from_a_knockout_does_not_change_the_results_of_earlier_rounds() -> None:
    run = LeagueRun(stage("knockout", seeding="lot"), entries=8)
    run.pair()
    run.play()
    run.pair()
    run.play()
    before = {row.entry: row.level for row in standings(run.league)}
    first_losers = [entry for entry, level in before.items() if level < 1000]
    assert len(first_losers) == 4 + 2
    run.append(
        organiser_command_handlers.withdraw_from_league(run.league, max(before, key=before.__getitem__), ORGANISER)
    )
    after = {row.entry: row.level for row in standings(run.league)}
    assert [after[entry] for entry in first_losers] == [before[entry] for entry in first_losers]


def test_free_seats_at_the_last_table_of_a_knockout_go_to_the_best_eliminated_entries() -> None:
    run = LeagueRun(stage("knockout", seats=6, least=6, seeding="lot"), entries=12)
    run.pair()
    run.play()
    rows = standings(run.league)
    order = [row.entry for row in rows]
    run.append(organiser_command_handlers.withdraw_from_league(run.league, order[0], ORGANISER))
    run.pair()
    (filled,) = set(list_round_tables(run, 2)[0]) - set(order[1:6])
    assert len(list_round_tables(run, 2)[0]) == 6
    assert rows[order.index(filled)].key[:2] == rows[6].key[:2] > rows[11].key[:2]


def test_entries_that_tie_for_qualification_qualify_for_the_next_stage_at_random() -> None:
    went_on = Counter[int]()
    for seed in range(60):
        run = LeagueRun(stage("round_robin"), stage("knockout", qualify=2), entries=4, seed=seed)
        while run.league.stage_of(len(run.league.rounds) + 1).number == 1 and run.pair():
            if run.league.begun[-1].number == 2:
                break
            for table in run.league.rounds[run.league.playing - 1].tables:
                run.append(
                    *record(run.league, build_result(run.league.playing, table, 0, dict.fromkeys(table.seating, 0)))
                )
        went_on.update(one.entry for one in run.league.begun[-1].entries)
    assert set(went_on) == {1, 2, 3, 4}
    assert max(went_on.values()) < 48


def test_all_entries_of_a_league_in_ladder_format_have_byes_about_equally_often() -> None:
    run = play_league(stage("ladder", seats=6, least=6, rounds=8, seeding="lot"), entries=11)
    matches = Counter(entry for number in range(1, 9) for table in list_round_tables(run, number) for entry in table)
    assert set(matches) == set(range(1, 12))
    assert max(matches.values()) - min(matches.values()) <= 1


def test_in_a_gauntlet_with_several_tables_every_entry_meets_the_challenger() -> None:
    run = play_league(stage("gauntlet", seats=6, least=6), entries=9)
    assert len(run.league.rounds) == 2
    tables = [*list_round_tables(run, 1), *list_round_tables(run, 2)]
    assert {entry for table in tables if 1 in table for entry in table} == set(range(1, 10))


def test_a_round_robin_continues_after_a_round_in_which_no_new_pair_of_entries_can_meet() -> None:
    run = LeagueRun(stage("round_robin"), entries=4, seed=3)
    for entry in (3, 4):
        run.append(organiser_command_handlers.withdraw_from_league(run.league, entry, ORGANISER))
    run.finish()
    assert run.league.closed
    assert {1, 2} in [set(table.seating) for paired in run.league.rounds for table in paired.tables]


def test_a_stage_can_be_ended_during_a_round_and_the_next_stage_begins() -> None:
    run = LeagueRun(stage("swiss", rounds=9), stage("knockout", qualify=4), entries=8)
    run.pair()
    run.append(
        *record(run.league, *run.results()[:1]), league_correction_command_handlers.end_stage(run.league, ORGANISER)
    )
    for key in run.league.open_matches:
        match = derive_match_id(run.league, key, 0)
        run.append(match_result_command_handlers.void_match(run.league, key, match, ORGANISER))
    run.append(*round_end_facts(run.league))
    assert run.pair()
    assert run.league.begun[-1].number == 2
    run.finish()
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []


@pytest.mark.parametrize(
    "command", [league_correction_command_handlers.cancel_league, league_correction_command_handlers.end_league]
)
def test_a_paused_league_without_rounds_can_be_cancelled_or_ended_and_passes_the_audit(
    command: Callable[..., Act],
) -> None:
    run = LeagueRun(stage("swiss", rounds=3), entries=1, rules=1)  # earlier releases ended leagues, too
    run.append(organiser_command_handlers.pause_league(run.league, ORGANISER), command(run.league, ORGANISER))
    assert run.league.due
    assert not run.pair()
    assert run.league.closed
    assert list(LeagueEventStreamAudit(run.facts).flaws()) == []
    with pytest.raises(CommandRejected, match="enter another league"):
        run.enter()


def test_a_league_can_be_cancelled_only_before_its_first_round_begins_and_closed_only_afterwards() -> None:
    run = LeagueRun(stage("swiss", rounds=3), entries=4)
    with pytest.raises(CommandRejected, match="no round of Night has begun; cancel the league instead"):
        league_correction_command_handlers.close_league(run.league, ORGANISER)
    run.pair()
    with pytest.raises(CommandRejected, match="Night has begun; close the league instead"):
        league_correction_command_handlers.cancel_league(run.league, ORGANISER)
    assert league_correction_command_handlers.close_league(run.league, ORGANISER).by == "ada"


def test_twenty_different_secret_seeds_give_twenty_different_first_rounds_of_a_knockout() -> None:
    one: StageSettings = stage("knockout", seeding="lot")
    run = LeagueRun(one, entries=8)
    links = [seed_of("link", number).hex() for number in range(20)]
    rounds = {proceed(run.league, link).facts[-1].tables for link in links}  # type: ignore[union-attr]  # the last fact is a round
    assert len(rounds) == len(links)
