"""The next table of a continuous ladder: the bot with the fewest matches and the nearest bots it met least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given, strategies as st

from ftk_core.league.matchmaking import (
    CAUGHT_UP_MATCHES,
    REPEAT_PENALTY_POINTS,
    MatchmakingBotCandidate,
    choose_bout_seating,
)
from ftk_core.random_streams import seed_of

SEED = seed_of("bouts")


def nobody(_key: int) -> Mapping[int, int]:
    """Return no earlier meetings for any bot."""
    return {}


def settled(key: int, value: float = 1500, called: int = 9, **more: int) -> MatchmakingBotCandidate:
    return MatchmakingBotCandidate(key=key, owner=key, value=value, called=called, **more)


@st.composite
def fields(draw: st.DrawFn) -> list[MatchmakingBotCandidate]:
    count = draw(st.integers(2, 14))
    return [
        MatchmakingBotCandidate(
            key=key,
            owner=draw(st.integers(1, 5)),
            value=draw(st.floats(500, 2500)),
            called=draw(st.integers(0, 3)),
            last=draw(st.integers(0, 3)),
            sat=draw(st.dictionaries(st.integers(0, 3), st.integers(0, 9))),
        )
        for key in range(count)
    ]


@pytest.mark.slow
@given(field=fields(), seats=st.integers(2, 4), label=st.text(max_size=3))
def test_a_ladder_match_gets_distinct_bots_for_all_seats_regardless_of_the_candidate_order(
    field: list[MatchmakingBotCandidate], seats: int, label: str
) -> None:
    seats = min(seats, len(field))
    table = choose_bout_seating(field, seats, seed_of(label), nobody)
    assert len(set(table)) == seats
    assert set(table) <= {one.key for one in field}
    assert choose_bout_seating(field[::-1], seats, seed_of(label), nobody) == table


@pytest.mark.slow
@given(field=fields(), seats=st.integers(2, 4))
def test_two_bots_of_one_owner_meet_on_the_ladder_only_if_there_are_too_few_other_bots(
    field: list[MatchmakingBotCandidate], seats: int
) -> None:
    seats = min(seats, len(field))
    owners = {one.key: one.owner for one in field}
    table = choose_bout_seating(field, seats, SEED, nobody)
    assert len({owners[key] for key in table}) == min(seats, len(set(owners.values())))


def test_a_bot_without_matches_is_selected_for_the_next_ladder_match() -> None:
    field = [*(settled(key) for key in range(30)), MatchmakingBotCandidate(key=30, owner=30)]
    assert 30 in choose_bout_seating(field, 2, SEED, nobody)


def test_the_bot_with_the_fewest_started_matches_is_selected_for_the_next_ladder_match() -> None:
    field = [*(settled(key) for key in range(10, 30)), settled(1, called=8), settled(2, called=7)]
    assert 2 in choose_bout_seating(field, 2, SEED, nobody)


def test_a_bot_with_enough_matches_waits_while_other_bots_have_waited_longer() -> None:
    old = [settled(key, called=5000 + key, last=900 + key) for key in range(5)]
    newer = settled(5, called=CAUGHT_UP_MATCHES, last=950)
    table = choose_bout_seating([*old, newer], 2, SEED, lambda _key: {5: 99})
    assert 0 in table, "it was called longest ago"
    assert 5 not in table


def test_bots_with_the_nearest_ratings_meet_on_the_ladder() -> None:
    field = [settled(key, value=1000 + 300 * key) for key in range(5)]
    table = sorted(choose_bout_seating(field, 2, SEED, nobody))
    assert table[1] - table[0] == 1


def test_matchmaking_treats_each_earlier_meeting_as_an_additional_rating_difference() -> None:
    field = [MatchmakingBotCandidate(key=0, owner=0), *(settled(key) for key in (1, 2, 3))]
    assert set(choose_bout_seating(field, 2, SEED, lambda _key: {1: 3, 2: 1, 3: 4})) == {0, 2}
    far = [MatchmakingBotCandidate(key=0, owner=0), settled(1), settled(2, value=1500 + 1.5 * REPEAT_PENALTY_POINTS)]
    assert set(choose_bout_seating(far, 2, SEED, lambda _key: {1: 1})) == {0, 1}
    assert set(choose_bout_seating(far, 2, SEED, lambda _key: {1: 2})) == {0, 2}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_over_many_ladder_matches_no_bot_plays_rarely_and_all_bots_play_every_seat_equally_often(seats: int) -> None:
    sat, last = {key: Counter[int]() for key in range(9)}, dict.fromkeys(range(9), 0)
    for number in range(1, 300):
        field = [
            MatchmakingBotCandidate(
                key=key, owner=key, value=1300 + 50 * key, called=had.total(), last=last[key], sat=had
            )
            for key, had in sat.items()
        ]
        for seat, key in enumerate(choose_bout_seating(field, seats, seed_of(number), nobody)):
            sat[key][seat] += 1
            last[key] = number
    assert max(max(had.values()) - min(had[seat] for seat in range(seats)) for had in sat.values()) <= 2
    totals = [had.total() for had in sat.values()]
    assert min(totals) >= 0.7 * sum(totals) / len(totals)


def test_selecting_a_ladder_match_with_too_few_bots_is_refused() -> None:
    with pytest.raises(ValueError, match="no table of 3 among 2 contenders"):
        choose_bout_seating([settled(1), settled(2)], 3, SEED, nobody)
