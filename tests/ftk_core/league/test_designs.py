"""Round robins at tables of any size: everybody meets everybody."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ftk_core.league.pairing.designs import LINES, Schedule, _add, _times, needed, schedule
from ftk_core.league.pairing.field import NoTables
from ftk_core.league.pairing.rests import sizes_of
from ftk_core.rng import Chance, seed_of

ONCE = [
    *((entries, 2) for entries in (2, 3, 8, 13, 20)),
    *((entries, 3) for entries in (3, 9, 15, 21, 27, 39, 57)),
    *((size**2, size) for size in (4, 5, 7, 8, 9, 11)),
    (64, 4),
]
"""(entries, seats) of the designs that are known."""


def made(entries: int, seats: int, least: int = 2, label: str = "lot") -> Schedule:
    return schedule(range(1, entries + 1), seats, least, Chance(seed_of(label)).at("schedule"))


def meetings(found: Schedule) -> Counter[frozenset[int]]:
    return Counter(frozenset(two) for tables, _ in found.rounds for table in tables for two in combinations(table, 2))


def gaps(found: Schedule, seats: int) -> list[int]:
    """Return by entry how much more often it sits in one seat than in another."""
    sat = Counter((e, seat) for tables, _ in found.rounds for table in tables for seat, e in enumerate(table))
    counts = [[sat[entry, seat] for seat in range(seats)] for entry in {entry for entry, _ in sat}]
    return [max(had) - min(had) for had in counts]


@pytest.mark.parametrize(("entries", "seats"), ONCE)
def test_where_a_design_is_known_each_pair_meets_once(entries: int, seats: int) -> None:
    found = made(entries, seats)
    assert set(meetings(found).values()) == {1}
    assert len(meetings(found)) == entries * (entries - 1) // 2
    assert len(found.rounds) == found.needed
    assert max(gaps(found, seats)) <= 1


@pytest.mark.slow
@given(entries=st.integers(3, 26), seats=st.integers(3, 12), least=st.integers(2, 3), label=st.text(max_size=3))
@settings(deadline=None, max_examples=25)
def test_everybody_meets_everybody(entries: int, seats: int, least: int, label: str) -> None:
    found = made(entries, seats, least, label)
    assert len(meetings(found)) == entries * (entries - 1) // 2
    assert found.needed <= len(found.rounds)
    rests, sizes = sizes_of(entries, seats, least)
    for tables, resting in found.rounds:
        assert sorted(map(len, tables), reverse=True) == sizes
        assert len(resting) == rests
        assert sorted([*resting, *(entry for table in tables for entry in table)]) == list(range(1, entries + 1))


@pytest.mark.parametrize(("entries", "seats"), [(12, 3), (24, 6), (20, 5)])
def test_where_all_tables_are_full_everybody_has_each_seat_as_often_or_once_more(entries: int, seats: int) -> None:
    found = made(entries, seats)
    assert max(gaps(found, seats)) <= 1
    for start in range(0, len(found.rounds) - seats + 1, seats):
        some = Schedule(found.rounds[start : start + seats], 0)
        assert set(gaps(some, seats)) == {0}


def test_at_most_a_few_rounds_more_are_found_than_there_must_be() -> None:
    for entries, seats in ((12, 3), (20, 4), (24, 5), (30, 6)):
        found = made(entries, seats)
        assert len(found.rounds) <= 1.7 * found.needed, (entries, seats)


@pytest.mark.parametrize(("entries", "sizes", "rounds"), [(15, [3] * 5, 7), (6, [3, 3], 3), (13, [3, 3, 3, 2, 2], 8)])
def test_how_many_rounds_there_must_be(entries: int, sizes: list[int], rounds: int) -> None:
    assert needed(entries, sizes) == rounds


def test_the_same_lot_gives_the_same_schedule_and_another_one_another() -> None:
    assert made(16, 4) == made(16, 4)
    assert made(16, 4) != made(16, 4, label="another")


def test_too_few_entries_are_refused() -> None:
    with pytest.raises(NoTables):
        made(2, 4, 3)


@pytest.mark.parametrize("size", LINES)
def test_the_fields_are_fields(size: int) -> None:
    everything = range(size)
    for one in everything:
        assert {_add(one, other, size) for other in everything} == set(everything)
        assert _times(one, 1, size) == one
        if one:
            assert {_times(one, other, size) for other in everything} == set(everything)
        for other in everything:
            assert _times(one, other, size) == _times(other, one, size)
            for third in everything:
                sum_ = _add(_times(one, other, size), _times(one, third, size), size)
                assert _times(one, _add(other, third, size), size) == sum_
