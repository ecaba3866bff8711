"""Blocks: both versions meet the same deal and the same opponents from every seat, and their order decides."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ftk_core.kit.arena import Fixture, PlayedMatch, Series
from ftk_core.kit.blocks import CANDIDATE, FIRST, REFERENCE, Comparison, block_of, fixtures, value_of, weighed
from ftk_core.kit.sequential import Claim, luck_of

EVERY_TABLE = st.tuples(st.integers(2, 12), st.integers(1, 14), st.integers(0, 50))
"""(seats, bots in the field, number of a block)"""


def comparison_at(seats: int, field: int = 3, most: int = 1000) -> Comparison:
    bots = ("old", "new", *(f"opponent {number}" for number in range(field)))
    claim = Claim(h0=0, h1=0.05, alpha=0.05, beta=0.05, luck=luck_of(seats))
    return Comparison(series=Series(game="pig", bots=bots, seed="1"), seats=seats, claim=claim, most=most)


def ended(fixture: Fixture, places: tuple[int, ...]) -> PlayedMatch:
    zeros = (0,) * len(places)
    return PlayedMatch(seating=fixture.seating, places=places, scores=zeros, faults=zeros, log=b"")


@given(EVERY_TABLE)
def test_each_version_holds_each_seat_once_on_the_same_deal(table: tuple[int, int, int]) -> None:
    seats, field, number = table
    block = block_of(comparison_at(seats, field), number)
    for version in (CANDIDATE, REFERENCE):
        own = [fixture for fixture in block if version in fixture.seating]
        assert sorted(fixture.seating.index(version) for fixture in own) == list(range(seats))
    assert {fixture.deal for fixture in block} == {number}
    assert len(block) == 2 * seats


@given(EVERY_TABLE)
def test_both_versions_meet_the_same_opponents_in_the_same_seats_with_the_same_luck(
    table: tuple[int, int, int],
) -> None:
    seats, field, number = table
    block = block_of(comparison_at(seats, field), number)
    for new, old in zip(block[:seats], block[seats:], strict=True):
        assert tuple(REFERENCE if bot == CANDIDATE else bot for bot in new.seating) == old.seating
        assert new.label == old.label


@given(EVERY_TABLE)
def test_opponents_are_of_the_field_and_nobody_is_there_twice_while_somebody_is_not(
    table: tuple[int, int, int],
) -> None:
    seats, field, number = table
    (first, *_) = block_of(comparison_at(seats, field), number)
    others = Counter(bot for bot in first.seating if bot != CANDIDATE)
    assert all(FIRST <= bot < FIRST + field for bot in others)
    assert max(others.values()) - (min(others.values()) if len(others) == field else 0) <= 1


def test_everybody_of_a_field_is_met_in_time() -> None:
    met = {bot for fixture in list(fixtures(comparison_at(2, 6)))[:200] for bot in fixture.seating}
    assert met == set(range(FIRST + 6)) | {CANDIDATE, REFERENCE}


def test_a_block_is_worth_what_the_candidate_leaves_behind_more_than_the_reference() -> None:
    block = block_of(comparison_at(2), 0)
    alone_first = [
        ended(fixture, tuple(1 if bot == CANDIDATE else 2 for bot in fixture.seating)) for fixture in block[:2]
    ]
    tied = [ended(fixture, (1, 1)) for fixture in block[2:]]
    assert value_of([*alone_first, *tied]) == pytest.approx(0.5)
    assert value_of([ended(fixture, (1, 1)) for fixture in block]) == 0


def test_blocks_are_weighed_until_it_is_known_and_no_further() -> None:
    comparison = comparison_at(2)
    drawn = 0

    def won() -> object:
        nonlocal drawn
        for fixture in fixtures(comparison):
            drawn += 1
            yield ended(fixture, tuple(1 if bot == CANDIDATE else 2 for bot in fixture.seating))

    known = list(weighed(comparison, won()))  # type: ignore[arg-type]  # a generator of matches
    assert drawn == 4 * len(known) < 4 * comparison.most
    assert [evidence.blocks for evidence in known] == list(range(1, len(known) + 1))


def test_a_block_that_is_not_whole_does_not_count() -> None:
    comparison = comparison_at(3, most=2)
    some = [ended(fixture, (1, 2, 3)) for fixture in fixtures(comparison)]
    assert [evidence.blocks for evidence in weighed(comparison, some[:-1])] == [1]
    assert [evidence.blocks for evidence in weighed(comparison, some)] == [1, 2]
