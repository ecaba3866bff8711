"""Swiss pairing for tables of any size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, product

import pytest
from hypothesis import example, given, settings, strategies as st

from ftk_core.league.league_state import CommandRejected
from ftk_core.league.scoring.entrant_stage_totals import resting_entries
from ftk_core.league.standings import standings
from tests.support.states import build_league_state, pair, play_round, play_rounds, read_history


@pytest.mark.slow
@given(entries=st.integers(4, 40), seats=st.integers(2, 5), rounds=st.integers(1, 3))
@settings(deadline=None, max_examples=40)
def test_in_a_swiss_round_every_entry_plays_once_or_has_a_bye(entries: int, seats: int, rounds: int) -> None:
    for paired in play_rounds(build_league_state(entries, seats), rounds).rounds:
        seated = [entry for table in paired.tables for entry in table.seating]
        assert sorted([*seated, *resting_entries(paired)]) == list(range(1, entries + 1))
        sizes = [len(table.seating) for table in paired.tables]
        assert max(sizes) <= seats
        assert min(sizes) >= 2
        assert max(sizes) - min(sizes) <= 1
        assert len(resting_entries(paired)) <= 1


@pytest.mark.parametrize(("entries", "seats", "rounds"), [(16, 4, 3), (12, 2, 8), (9, 3, 3), (30, 5, 3)])
def test_entries_of_a_swiss_league_meet_again_only_if_unavoidable(entries: int, seats: int, rounds: int) -> None:
    history = read_history(play_rounds(build_league_state(entries, seats), rounds))
    assert max(history.meetings.values()) == 1


def test_once_all_entries_have_met_repeated_meetings_are_distributed_evenly() -> None:
    history = read_history(play_rounds(build_league_state(12, 4), 5))
    counts = [history.met(one, other) for one, other in combinations(range(1, 13), 2)]
    assert max(counts) == 2


def test_swiss_pairings_join_entries_with_equal_points_as_far_as_seat_balance_allows() -> None:
    league = play_rounds(build_league_state(32, 2), 1)
    winners = {result.seating[result.places.index(1)] for result in league.results}
    first = sum(result.places[0] == 1 for result in league.results)
    mixed = sum(len(winners & set(table.seating)) == 1 for table in pair(league).tables)
    assert mixed == abs(first - (len(winners) - first))


def test_each_entry_of_a_swiss_league_plays_every_seat_about_equally_often() -> None:
    history = read_history(play_rounds(build_league_state(16, 4), 4))
    assert max(history.seats.values()) <= 2


@pytest.mark.slow
@given(entries=st.integers(6, 20), seats=st.integers(2, 9), games=st.integers(1, 3), rounds=st.integers(1, 4))
@settings(deadline=None, max_examples=20)
@example(entries=18, seats=5, games=3, rounds=3)  # here even seats and the first seat contradict each other
def test_bots_with_fewer_first_seats_sit_first_unless_this_makes_seat_counts_more_uneven(
    entries: int, seats: int, games: int, rounds: int
) -> None:
    league = build_league_state(entries, seats, games=games)
    for _ in range(rounds):
        before = read_history(league)
        league = play_round(league)
        for table in league.rounds[-1].tables:
            unevenness = _seat_unevenness(before.seats, table.seating, games)
            for first, later in product(range(games), range(games, len(table.seating))):
                if before.seats[table.seating[first], 0] > before.seats[table.seating[later], 0]:
                    exchanged = list(table.seating)
                    exchanged[first], exchanged[later] = exchanged[later], exchanged[first]
                    largest_gap, excess = _seat_unevenness(before.seats, exchanged, games)
                    assert largest_gap > unevenness[0] or excess > unevenness[1]


def _seat_unevenness(seat_counts: Mapping[tuple[int, int], int], seating: Sequence[int], games: int) -> tuple[int, int]:
    """Return the largest gap between two seat counts of an entry after the table's matches, and the squared excess.

    A seat that is more than one time above another is an excess.
    """
    counts = {entry: [seat_counts.get((entry, seat), 0) for seat in range(len(seating))] for entry in seating}
    for game in range(games):
        for place, entry in enumerate(seating):
            counts[entry][(place - game) % len(seating)] += 1
    gaps = [max(by_seat) - min(by_seat) for by_seat in counts.values()]
    return max(gaps), sum(max(0, gap - 1) ** 2 for gap in gaps)


@pytest.mark.slow
@pytest.mark.parametrize(("entries", "seats", "games", "rounds"), [(24, 6, 1, 6), (12, 6, 2, 6), (13, 8, 1, 9)])
def test_every_entry_of_a_swiss_league_plays_the_seat_of_the_king_about_equally_often(
    entries: int, seats: int, games: int, rounds: int
) -> None:
    history = read_history(play_rounds(build_league_state(entries, seats, games=games, least=6), rounds))
    reigns = [history.seats[entry, 0] for entry in range(1, entries + 1)]
    mean = sum(reigns) / entries
    assert max(abs(count - mean) for count in reigns) <= 1
    assert sum(abs(count - mean) < 1 for count in reigns) > 0.8 * entries


def test_several_matches_at_one_table_rotate_the_seats() -> None:
    league = play_rounds(build_league_state(8, 4, games=4), 1)
    history = read_history(league)
    assert set(history.seats.values()) == {1}
    assert len(league.results) == 8


def test_byes_rotate_among_the_entries_and_are_worth_a_win() -> None:
    league = play_rounds(build_league_state(7, 2), 5)
    byes = Counter(entry for paired in league.rounds for entry in resting_entries(paired))
    assert max(byes.values()) == 1
    points = {row.entry: row.points for row in standings(league)}
    won = Counter(one.seating[one.places.index(1)] for one in league.results)
    assert points == {entry: won[entry] + byes[entry] for entry in range(1, 8)}


@pytest.mark.slow
def test_entries_take_turns_at_tables_with_fewer_players() -> None:
    history = read_history(play_rounds(build_league_state(23, 4), 4))
    assert max(history.short[entry] for entry in range(1, 24)) == 1


def test_no_table_is_smaller_than_the_game_allows() -> None:
    paired = pair(build_league_state(13, 8, least=6))
    assert [len(table.seating) for table in paired.tables] == [7, 6]
    assert resting_entries(paired) == ()
    rested = pair(build_league_state(11, 8, least=6))
    assert len(resting_entries(rested)) == 3


def test_pairing_too_few_entries_is_refused() -> None:
    with pytest.raises(CommandRejected, match="needs 2 entries or more, and would have 1"):
        pair(build_league_state(1, 2))
