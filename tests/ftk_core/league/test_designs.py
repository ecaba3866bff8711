"""Round robins at tables of any size: every entry meets every other."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings, strategies as st

from ftk_core.league.pairing.bye_selection import table_sizes
from ftk_core.league.pairing.pairing_input_and_output import ImpossiblePairingError
from ftk_core.league.pairing.round_robin_schedules import (
    FINITE_FIELDS,
    RoundRobinSchedule,
    _field_product,
    _field_sum,
    draw_schedule,
    min_rounds,
)
from ftk_core.random_streams import MatchRandomness, seed_of

ONCE = [
    *((entries, 2) for entries in (2, 3, 8, 13, 20)),
    *((entries, 3) for entries in (3, 9, 15, 21, 27, 39, 57)),
    *((size**2, size) for size in (4, 5, 7, 8, 9, 11)),
    (64, 4),
]
"""(entries, seats) of the designs that are known."""


def made(entries: int, seats: int, least: int = 2, label: str = "lot") -> RoundRobinSchedule:
    return draw_schedule(range(1, entries + 1), seats, least, MatchRandomness(seed_of(label)).at("schedule"))


def meetings(found: RoundRobinSchedule) -> Counter[frozenset[int]]:
    return Counter(frozenset(two) for tables, _ in found.rounds for table in tables for two in combinations(table, 2))


def gaps(found: RoundRobinSchedule, seats: int) -> list[int]:
    """Return, for each entry, the difference between its numbers of matches in its most and least frequent seats."""
    sat = Counter((e, seat) for tables, _ in found.rounds for table in tables for seat, e in enumerate(table))
    counts = [[sat[entry, seat] for seat in range(seats)] for entry in {entry for entry, _ in sat}]
    return [max(had) - min(had) for had in counts]


@pytest.mark.parametrize(("entries", "seats"), ONCE)
def test_a_round_robin_built_from_a_block_design_pairs_every_two_entries_exactly_once(entries: int, seats: int) -> None:
    found = made(entries, seats)
    assert set(meetings(found).values()) == {1}
    assert len(meetings(found)) == entries * (entries - 1) // 2
    assert len(found.rounds) == found.needed
    assert max(gaps(found, seats)) <= 1


@pytest.mark.slow
@given(entries=st.integers(3, 26), seats=st.integers(3, 12), least=st.integers(2, 3), label=st.text(max_size=3))
@settings(deadline=None, max_examples=25)
def test_in_a_round_robin_schedule_every_entry_meets_every_other(
    entries: int, seats: int, least: int, label: str
) -> None:
    found = made(entries, seats, least, label)
    assert len(meetings(found)) == entries * (entries - 1) // 2
    assert found.needed <= len(found.rounds)
    rests, sizes = table_sizes(entries, seats, least)
    for tables, resting in found.rounds:
        assert sorted(map(len, tables), reverse=True) == sizes
        assert len(resting) == rests
        assert sorted([*resting, *(entry for table in tables for entry in table)]) == list(range(1, entries + 1))


@pytest.mark.slow
@pytest.mark.parametrize(("entries", "seats"), [(12, 3), (24, 6), (20, 5)])
def test_in_a_round_robin_with_full_tables_the_seat_counts_of_an_entry_differ_by_at_most_one(
    entries: int, seats: int
) -> None:
    found = made(entries, seats)
    assert max(gaps(found, seats)) <= 1
    for start in range(0, len(found.rounds) - seats + 1, seats):
        some = RoundRobinSchedule(found.rounds[start : start + seats], 0)
        assert set(gaps(some, seats)) == {0}


@pytest.mark.slow
def test_a_round_robin_schedule_has_at_most_70_percent_more_rounds_than_the_lower_bound() -> None:
    for entries, seats in ((12, 3), (20, 4), (24, 5), (30, 6)):
        found = made(entries, seats)
        assert len(found.rounds) <= 1.7 * found.needed, (entries, seats)


@pytest.mark.parametrize(("entries", "sizes", "rounds"), [(15, [3] * 5, 7), (6, [3, 3], 3), (13, [3, 3, 3, 2, 2], 8)])
def test_the_lower_bound_of_rounds_of_a_round_robin_is_correct(entries: int, sizes: list[int], rounds: int) -> None:
    assert min_rounds(entries, sizes) == rounds


def test_round_robin_schedules_are_reproducible_from_a_seed_and_differ_between_seeds() -> None:
    assert made(16, 4) == made(16, 4)
    assert made(16, 4) != made(16, 4, label="another")


def test_a_round_robin_with_too_few_entries_is_refused() -> None:
    with pytest.raises(ImpossiblePairingError):
        made(2, 4, 3)


@pytest.mark.parametrize("size", FINITE_FIELDS)
def test_the_finite_fields_used_for_block_designs_satisfy_the_field_axioms(size: int) -> None:
    everything = range(size)
    for one in everything:
        assert {_field_sum(one, other, size) for other in everything} == set(everything)
        assert _field_product(one, 1, size) == one
        if one:
            assert {_field_product(one, other, size) for other in everything} == set(everything)
        for other in everything:
            assert _field_product(one, other, size) == _field_product(other, one, size)
            for third in everything:
                sum_ = _field_sum(_field_product(one, other, size), _field_product(one, third, size), size)
                assert _field_product(one, _field_sum(other, third, size), size) == sum_
