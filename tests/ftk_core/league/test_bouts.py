"""Who meets next on a continuous ladder: whoever's meeting is expected to tell most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ftk_core.league.bouts import NEWCOMER, Contender, call_table
from ftk_core.rng import seed_of

SEED = seed_of("bouts")


def nobody(_key: int) -> Mapping[int, int]:
    """Say of anybody that it met none."""
    return {}


def settled(key: int, value: float = 1500, **more: int) -> Contender:
    return Contender(key=key, owner=key, value=value, deviation=40, **more)


@st.composite
def fields(draw: st.DrawFn) -> list[Contender]:
    count = draw(st.integers(2, 14))
    return [
        Contender(
            key=key,
            owner=draw(st.integers(1, 5)),
            value=draw(st.floats(500, 2500)),
            deviation=draw(st.floats(5, 200)),
            waits=draw(st.integers(0, 3)),
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


def test_whoever_waits_for_tables_already_is_not_called_before_another_newcomer() -> None:
    newcomers = [Contender(key=1, owner=1, waits=2), Contender(key=2, owner=2)]
    table = call_table([*(settled(key) for key in range(10, 30)), newcomers[0]], 2, SEED, nobody)
    assert 1 in table, "two tables do not make it as sure as the others"
    assert 2 in call_table([*(settled(key) for key in range(10, 30)), *newcomers], 2, SEED, nobody)


def test_of_the_settled_the_nearest_meet() -> None:
    field = [settled(key, value=1000 + 300 * key) for key in range(5)]
    table = sorted(call_table(field, 2, SEED, nobody))
    assert table[1] - table[0] == 1


def test_whom_somebody_met_most_is_called_last() -> None:
    field = [Contender(key=0, owner=0), *(settled(key) for key in (1, 2, 3))]
    assert set(call_table(field, 2, SEED, lambda _key: {1: 3, 2: 1, 3: 4})) == {0, 2}


def test_somebody_who_loses_to_all_is_not_called_for_ever() -> None:
    field = [*(settled(key) for key in range(8)), Contender(key=8, owner=8, value=300, deviation=90)]
    assert 8 not in call_table(field, 2, SEED, nobody), "of that result everybody is sure"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_seats_are_even_over_time(seats: int) -> None:
    sat = {key: Counter[int]() for key in range(9)}
    for number in range(300):
        field = [
            Contender(key=key, owner=key, deviation=NEWCOMER[1] / (1 + had.total()) ** 0.5, sat=had)
            for key, had in sat.items()
        ]
        for seat, key in enumerate(call_table(field, seats, seed_of(number), nobody)):
            sat[key][seat] += 1
    assert max(max(had.values()) - min(had[seat] for seat in range(seats)) for had in sat.values()) <= 2
    assert max(had.total() for had in sat.values()) - min(had.total() for had in sat.values()) <= 2


def test_fewer_than_a_table_are_refused() -> None:
    with pytest.raises(ValueError, match="no table of 3 among 2 contenders"):
        call_table([settled(1), settled(2)], 3, SEED, nobody)
