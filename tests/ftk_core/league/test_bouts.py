"""The next table of a continuous ladder: the bot that played least, with the nearest it met least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ftk_core.league.bouts import AGAIN, CAUGHT_UP, Contender, call_table
from ftk_core.rng import seed_of

SEED = seed_of("bouts")


def nobody(_key: int) -> Mapping[int, int]:
    """Say of anybody that it met none."""
    return {}


def settled(key: int, value: float = 1500, called: int = 9, **more: int) -> Contender:
    return Contender(key=key, owner=key, value=value, called=called, **more)


@st.composite
def fields(draw: st.DrawFn) -> list[Contender]:
    count = draw(st.integers(2, 14))
    return [
        Contender(
            key=key,
            owner=draw(st.integers(1, 5)),
            value=draw(st.floats(500, 2500)),
            called=draw(st.integers(0, 3)),
            last=draw(st.integers(0, 3)),
            sat=draw(st.dictionaries(st.integers(0, 3), st.integers(0, 9))),
        )
        for key in range(count)
    ]


@given(field=fields(), seats=st.integers(2, 4), label=st.text(max_size=3))
def test_a_table_is_full_nobody_sits_twice_and_the_order_of_the_field_does_not_matter(
    field: list[Contender], seats: int, label: str
) -> None:
    seats = min(seats, len(field))
    table = call_table(field, seats, seed_of(label), nobody)
    assert len(set(table)) == seats
    assert set(table) <= {one.key for one in field}
    assert call_table(field[::-1], seats, seed_of(label), nobody) == table


@given(field=fields(), seats=st.integers(2, 4))
def test_two_of_one_owner_meet_only_where_there_are_too_few_others(field: list[Contender], seats: int) -> None:
    seats = min(seats, len(field))
    owners = {one.key: one.owner for one in field}
    table = call_table(field, seats, SEED, nobody)
    assert len({owners[key] for key in table}) == min(seats, len(set(owners.values())))


def test_whoever_is_new_is_called_first() -> None:
    field = [*(settled(key) for key in range(30)), Contender(key=30, owner=30)]
    assert 30 in call_table(field, 2, SEED, nobody)


def test_a_match_that_has_not_ended_counts_as_called() -> None:
    field = [*(settled(key) for key in range(10, 30)), settled(1, called=8), settled(2, called=7)]
    assert 2 in call_table(field, 2, SEED, nobody)


def test_whoever_has_caught_up_waits_until_the_others_were_called() -> None:
    old = [settled(key, called=5000 + key, last=900 + key) for key in range(5)]
    newer = settled(5, called=CAUGHT_UP, last=950)
    table = call_table([*old, newer], 2, SEED, lambda _key: {5: 99})
    assert 0 in table, "it was called longest ago"
    assert 5 not in table


def test_the_nearest_meet() -> None:
    field = [settled(key, value=1000 + 300 * key) for key in range(5)]
    table = sorted(call_table(field, 2, SEED, nobody))
    assert table[1] - table[0] == 1


def test_whom_somebody_met_is_called_later_as_if_further_away() -> None:
    field = [Contender(key=0, owner=0), *(settled(key) for key in (1, 2, 3))]
    assert set(call_table(field, 2, SEED, lambda _key: {1: 3, 2: 1, 3: 4})) == {0, 2}
    far = [Contender(key=0, owner=0), settled(1), settled(2, value=1500 + 1.5 * AGAIN)]
    assert set(call_table(far, 2, SEED, lambda _key: {1: 1})) == {0, 1}
    assert set(call_table(far, 2, SEED, lambda _key: {1: 2})) == {0, 2}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_matches_and_seats_are_even_over_time(seats: int) -> None:
    sat, last = {key: Counter[int]() for key in range(9)}, dict.fromkeys(range(9), 0)
    for number in range(1, 300):
        field = [
            Contender(key=key, owner=key, value=1300 + 50 * key, called=had.total(), last=last[key], sat=had)
            for key, had in sat.items()
        ]
        for seat, key in enumerate(call_table(field, seats, seed_of(number), nobody)):
            sat[key][seat] += 1
            last[key] = number
    assert max(max(had.values()) - min(had[seat] for seat in range(seats)) for had in sat.values()) <= 2


def test_fewer_than_a_table_are_refused() -> None:
    with pytest.raises(ValueError, match="no table of 3 among 2 contenders"):
        call_table([settled(1), settled(2)], 3, SEED, nobody)
