"""Every league ends, by itself or by one verb of its organiser, and all that was drawn of it can be drawn again."""

from __future__ import annotations

from collections import Counter

import pytest

from ftk_core.games import game, shelf
from ftk_core.league import endings, organising
from ftk_core.league.audit import Audit
from ftk_core.league.checking import flaws
from ftk_core.league.commands import closing, planned, proceed, record
from ftk_core.league.folding import fold, read, write
from ftk_core.league.formats import fewest, formats
from ftk_core.league.luck import next_link
from ftk_core.league.plans import Stage
from ftk_core.league.standings import standings
from ftk_core.rng import seed_of
from tests.support.any_leagues import AnyLeague
from tests.support.lengths import either
from tests.support.results import result_of
from tests.support.stages import HAND, Run, played, stage, tables

EACH = either(2, 67)
"""So many leagues a case of the law has; there are 30 cases."""


@pytest.mark.parametrize("case", range(30))
def test_a_league_of_any_kind_ends_by_itself_or_by_one_verb_and_verifies(case: int) -> None:
    for number in range(case * 1000, case * 1000 + EACH):
        league = AnyLeague(number)
        if league.refusal():
            continue  # it cannot be announced
        league.finish()
        assert league.league.closed
        assert len(league.stuck) <= 1, league.stuck
        assert all(len(sentence.split()) > 4 for sentence in league.stuck)
        assert list(flaws(league.facts, certificates_alone=True)) == []
        assert list(Audit(league.facts).flaws()) == []
        assert fold(read(write(fact)) for fact in league.facts) == league.league
        entries = list(range(1, len(league.league.entrants) + 1))
        assert sorted(row.entry for row in standings(league.league)) == entries


@pytest.mark.parametrize("name", sorted(formats()))
@pytest.mark.parametrize("rules", sorted(shelf()))
def test_any_number_of_entries_from_the_least_on_plays_to_the_end(name: str, rules: str) -> None:
    seats, rounds = game(rules).seats, 2 if formats()[name].counted else 0
    one = stage(name, seats=seats[-1] if rules != "kings_court" else 6, least=seats.start, rounds=rounds, seeding="lot")
    for entries in range(fewest(one), fewest(one) + either(9, 40)):
        run = Run(one, entries=entries, seed=entries)
        run.finish()
        assert run.league.closed
        assert len(run.league.rounds) == planned(run.league)
        assert list(Audit(run.facts).flaws()) == []


@pytest.mark.parametrize("entries", range(6, 43))
def test_a_knockout_of_tables_of_six_to_eight_comes_down_to_one_last_table(entries: int) -> None:
    run = played(stage("knockout", seats=8, least=6, seeding="lot"), entries=entries)
    assert 6 <= len(tables(run, len(run.league.rounds))[0]) <= 8
    assert all(len(paired.tables) > 1 or paired.rests for paired in run.league.rounds[:-1])
    assert [row.place for row in standings(run.league)][:2] == [1, 2]


def cup(seed: int) -> int:
    """Play a knockout of eight equal bots in which many matches are tied; return who won it."""
    run = Run(stage("knockout", seeding="lot"), entries=8, seed=seed)
    while run.pair():
        for table in run.league.rounds[-1].tables:
            form = {entry: run.draw.randint(0, 2) for entry in table.seating}
            run.happens(*record(run.league, result_of(run.league.playing, table, 0, form)))
    return next(row.entry for row in standings(run.league) if row.place == 1)


def test_of_equal_bots_each_wins_a_knockout_as_often_as_the_others() -> None:
    cups = either(200, 400)
    won = Counter(cup(seed) for seed in range(cups))
    expected = cups / 8
    chi_square = sum((won[entry] - expected) ** 2 / expected for entry in range(1, 9))
    assert chi_square < 24.3, won  # a chance of 1 in 1,000 with 7 degrees of freedom


def test_the_first_opponent_does_not_follow_from_the_order_of_entry() -> None:
    opponents = Counter[int]()
    for seed in range(60):
        run = Run(stage("knockout", seeding="lot"), entries=8, seed=seed)
        run.pair()
        opponents.update(next(set(table) - {1} for table in tables(run, 1) if 1 in table))
    assert len(opponents) == 7
    assert max(opponents.values()) < 30


def test_seeds_by_rating_stand_in_the_facts_and_the_best_meets_the_least() -> None:
    run = Run(stage("knockout", seeding="rating"), entries=4)
    ratings = {1: 1400, 2: 1700, 3: 1600, 4: 1500}
    run.happens(*proceed(run.league, next_link(run.secret, run.league), ratings=ratings).facts)
    assert run.league.begun[-1].ratings == ratings
    assert {frozenset(table) for table in tables(run, 1)} == {frozenset({2, 1}), frozenset({3, 4})}


def test_a_finalist_who_withdraws_gives_the_other_the_cup() -> None:
    run = Run(stage("knockout", seeding="lot"), entries=4)
    run.pair()
    run.play()
    finalists = [row.entry for row in standings(run.league)][:2]
    run.happens(organising.withdraw(run.league, finalists[0], HAND))
    assert not run.pair()
    assert run.league.closed
    assert [row.entry for row in standings(run.league)][:2] == [finalists[1], finalists[0]]


def test_whoever_withdraws_in_the_final_loses_it() -> None:
    run = Run(stage("knockout", seeding="lot"), entries=2)
    run.pair()
    run.happens(organising.withdraw(run.league, 1, HAND))
    run.finish()
    assert [row.entry for row in standings(run.league)] == [2, 1]


def test_a_later_withdrawal_does_not_change_who_won_an_earlier_round() -> None:
    run = Run(stage("knockout", seeding="lot"), entries=8)
    run.pair()
    run.play()
    run.pair()
    run.play()
    before = {row.entry: row.level for row in standings(run.league)}
    first_losers = [entry for entry, level in before.items() if level < 1000]
    run.happens(organising.withdraw(run.league, max(before, key=before.__getitem__), HAND))
    after = {row.entry: row.level for row in standings(run.league)}
    assert [after[entry] for entry in first_losers] == [before[entry] for entry in first_losers]


def test_free_seats_of_a_last_table_go_to_the_best_of_those_who_are_out() -> None:
    run = Run(stage("knockout", seats=6, least=6, seeding="lot"), entries=12)
    run.pair()
    run.play()
    order = [row.entry for row in standings(run.league)]
    run.happens(organising.withdraw(run.league, order[0], HAND))
    run.pair()
    assert set(order[1:6]) < set(tables(run, 2)[0])
    assert len(tables(run, 2)[0]) == 6


def test_equals_at_the_cut_are_parted_by_a_lot_from_the_link() -> None:
    went_on = Counter[int]()
    for seed in range(60):
        run = Run(stage("round_robin"), stage("knockout", qualify=2), entries=4, seed=seed)
        while run.league.stage_of(len(run.league.rounds) + 1).number == 1 and run.pair():
            if run.league.begun[-1].number == 2:
                break
            for table in run.league.rounds[run.league.playing - 1].tables:
                run.happens(
                    *record(run.league, result_of(run.league.playing, table, 0, dict.fromkeys(table.seating, 0)))
                )
        went_on.update(one.entry for one in run.league.begun[-1].entries)
    assert set(went_on) == {1, 2, 3, 4}
    assert max(went_on.values()) < 48


def test_nobody_on_a_ladder_rests_much_more_often_than_others() -> None:
    run = played(stage("ladder", seats=6, least=6, rounds=8, seeding="lot"), entries=11)
    matches = Counter(entry for number in range(1, 9) for table in tables(run, number) for entry in table)
    assert set(matches) == set(range(1, 12))
    assert max(matches.values()) - min(matches.values()) <= 1


def test_everybody_meets_the_challenger_of_a_gauntlet_that_seats_not_all_at_once() -> None:
    run = played(stage("gauntlet", seats=6, least=6), entries=9)
    assert len(run.league.rounds) == 2
    assert {entry for number in (1, 2) for table in tables(run, number) for entry in table} == set(range(1, 10))


def test_a_round_robin_goes_on_past_a_round_in_which_nobody_is_left_to_meet() -> None:
    run = Run(stage("round_robin"), entries=4, seed=3)
    for entry in (3, 4):
        run.happens(organising.withdraw(run.league, entry, HAND))
    run.finish()
    assert run.league.closed
    assert any({1, 2} == set(table) for number, _ in enumerate(run.league.rounds, 1) for table in tables(run, number))


def test_a_stage_can_be_ended_from_any_state_and_the_next_one_begins() -> None:
    run = Run(stage("swiss", rounds=9), stage("knockout", qualify=4), entries=8)
    run.pair()
    run.happens(*record(run.league, *run.results()[:1]), endings.end_stage(run.league, HAND))
    for key in run.league.open_matches:
        run.happens(
            organising.void(run.league, key, f"match {key}", HAND),
        )
    run.happens(*closing(run.league))
    assert run.pair()
    assert run.league.begun[-1].number == 2
    run.finish()
    assert list(Audit(run.facts).flaws()) == []


def test_a_league_can_be_closed_before_it_began_and_while_it_is_paused() -> None:
    run = Run(stage("swiss", rounds=3), entries=1)
    run.happens(organising.pause(run.league, HAND), endings.close(run.league, HAND))
    assert run.league.due
    assert not run.pair()
    assert run.league.closed


def test_lots_do_not_follow_from_what_is_known_before_the_round() -> None:
    one: Stage = stage("knockout", seeding="lot")
    run = Run(one, entries=8)
    links = [seed_of("link", number).hex() for number in range(20)]
    rounds = {proceed(run.league, link).facts[-1].tables for link in links}  # type: ignore[union-attr]  # the last fact is a round
    assert len(rounds) == len(links)
