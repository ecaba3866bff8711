"""Swiss pairing for tables of any size."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftk_core.league.acts import BotWithdrew
from ftk_core.league.deals import turned
from ftk_core.league.folding import apply
from ftk_core.league.formats import formats
from ftk_core.league.state import NotNow
from ftk_core.league.tallies import resting
from ftk_core.rng import seed_of
from tests.support.states import after, league_of, pair, past, played


@pytest.mark.slow
@given(entries=st.integers(4, 40), seats=st.integers(2, 5), rounds=st.integers(1, 3))
@settings(deadline=None, max_examples=40)
def test_everybody_sits_once_or_rests(entries: int, seats: int, rounds: int) -> None:
    for paired in after(league_of(entries, seats), rounds).rounds:
        seated = [entry for table in paired.tables for entry in table.seating]
        assert sorted([*seated, *resting(paired)]) == list(range(1, entries + 1))
        sizes = [len(table.seating) for table in paired.tables]
        assert max(sizes) <= seats
        assert min(sizes) >= 2
        assert max(sizes) - min(sizes) <= 1
        assert len(resting(paired)) <= 1


@pytest.mark.parametrize(("entries", "seats", "rounds"), [(16, 4, 3), (12, 2, 8), (9, 3, 3), (30, 5, 3)])
def test_nobody_meets_again_while_it_can_be_avoided(entries: int, seats: int, rounds: int) -> None:
    history = past(after(league_of(entries, seats), rounds))
    assert max(history.meetings.values()) == 1


def test_when_all_have_met_meetings_are_spread() -> None:
    history = past(after(league_of(12, 4), 5))
    counts = [history.met(one, other) for one, other in combinations(range(1, 13), 2)]
    assert max(counts) == 2


def test_winners_meet_winners_but_for_those_who_would_sit_first_or_second_twice() -> None:
    league = after(league_of(32, 2), 1)
    winners = {result.seating[result.places.index(1)] for result in league.results}
    first = sum(result.places[0] == 1 for result in league.results)
    mixed = sum(len(winners & set(table.seating)) == 1 for table in pair(league).tables)
    assert mixed == abs(first - (len(winners) - first))


def test_seats_are_balanced() -> None:
    history = past(after(league_of(16, 4), 4))
    assert max(history.seats.values()) <= 2


@given(entries=st.integers(6, 20), seats=st.integers(2, 9), games=st.integers(1, 3), rounds=st.integers(1, 4))
@settings(deadline=None, max_examples=20)
def test_who_begins_or_is_king_has_been_so_least_of_all_at_the_table(
    entries: int, seats: int, games: int, rounds: int
) -> None:
    league = league_of(entries, seats, games=games)
    for _ in range(rounds):
        before = past(league)
        league = played(league)
        for table in league.rounds[-1].tables:
            first = {turned(table, game)[0] for game in range(games)}
            others = [before.seats[entry, 0] for entry in table.seating if entry not in first]
            assert max(before.seats[entry, 0] for entry in first) <= min(others, default=entries)


@pytest.mark.parametrize(("entries", "seats", "games", "rounds"), [(24, 6, 1, 6), (12, 6, 2, 6), (13, 8, 1, 9)])
def test_over_a_league_nobody_is_king_much_more_often_than_others(
    entries: int, seats: int, games: int, rounds: int
) -> None:
    history = past(after(league_of(entries, seats, games=games, least=6), rounds))
    reigns = [history.seats[entry, 0] for entry in range(1, entries + 1)]
    mean = sum(reigns) / entries
    assert max(abs(count - mean) for count in reigns) <= 1
    assert sum(abs(count - mean) < 1 for count in reigns) > 0.8 * entries


def test_several_games_turn_the_seats() -> None:
    league = after(league_of(8, 4, games=4), 1)
    history = past(league)
    assert set(history.seats.values()) == {1}
    assert len(league.results) == 8


def test_byes_go_round_and_are_worth_a_win() -> None:
    league = after(league_of(7, 2), 5)
    byes = Counter(entry for paired in league.rounds for entry in resting(paired))
    assert max(byes.values()) == 1


def test_short_tables_go_round() -> None:
    history = past(after(league_of(23, 4), 4))
    assert max(history.short[entry] for entry in range(1, 24)) == 1


def test_tables_too_small_for_the_game_are_not_made() -> None:
    paired = pair(league_of(13, 8, least=6))
    assert [len(table.seating) for table in paired.tables] == [7, 6]
    assert resting(paired) == ()
    rested = pair(league_of(11, 8, least=6))
    assert len(resting(rested)) == 3


def test_the_withdrawn_are_not_paired() -> None:
    league = apply(after(league_of(8, 4), 1), BotWithdrew(entry=3, reason="asked to"))
    assert 3 not in {entry for table in pair(league).tables for entry in table.seating}


@pytest.mark.parametrize("seats", [2, 4])
def test_the_same_league_is_paired_the_same_and_another_seal_otherwise(seats: int) -> None:
    paired = [pair(after(league_of(16, seats), 1)) for _ in range(5)]
    assert paired == paired[:1] * 5
    assert paired[0] != pair(after(league_of(16, seats, secret=seed_of("another")), 1))


def test_too_few_entries_are_refused() -> None:
    with pytest.raises(NotNow, match="needs 2 entries or more, and would have 1"):
        pair(league_of(1, 2))


def test_the_formats_are_found() -> None:
    assert formats()["swiss"].next_round
