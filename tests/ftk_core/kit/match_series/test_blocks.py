"""Blocks: both versions play the same deal against the same opponents from every seat."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from ftk_core.kit.match_series.local_matches import MatchSeries, PlayedMatch, ScheduledMatch
from ftk_core.kit.match_series.sequential_testing import ComparedHypotheses, chance_variance
from ftk_core.kit.match_series.version_comparison_matches import (
    CANDIDATE,
    FIRST,
    REFERENCE,
    VersionComparison,
    accumulate_block_statistics,
    block_of,
    block_value,
    list_fixtures,
)

EVERY_TABLE = st.tuples(st.integers(2, 12), st.integers(1, 14), st.integers(0, 50))
"""(seats, bots in the field, number of a block)"""


def comparison_at(seats: int, field: int = 3, most: int = 1000) -> VersionComparison:
    bots = ("old", "new", *(f"opponent {number}" for number in range(field)))
    claim = ComparedHypotheses(h0=0, h1=0.05, alpha=0.05, beta=0.05, luck=chance_variance(seats))
    return VersionComparison(series=MatchSeries(game="pig", bots=bots, seed="1"), seats=seats, claim=claim, most=most)


def ended(fixture: ScheduledMatch, places: tuple[int, ...]) -> PlayedMatch:
    zeros = (0,) * len(places)
    return PlayedMatch(seating=fixture.seating, places=places, scores=zeros, faults=zeros, log=b"")


@given(EVERY_TABLE)
def test_in_a_block_of_matches_each_version_plays_each_seat_once_on_the_same_deal(table: tuple[int, int, int]) -> None:
    seats, field, number = table
    block = block_of(comparison_at(seats, field), number)
    for version in (CANDIDATE, REFERENCE):
        own = [fixture for fixture in block if version in fixture.seating]
        assert sorted(fixture.seating.index(version) for fixture in own) == list(range(seats))
    assert {fixture.deal for fixture in block} == {number}
    assert len(block) == 2 * seats


@given(EVERY_TABLE)
def test_both_versions_meet_the_same_opponents_with_the_same_random_seed_in_a_block_of_matches(
    table: tuple[int, int, int],
) -> None:
    seats, field, number = table
    block = block_of(comparison_at(seats, field), number)
    for new, old in zip(block[:seats], block[seats:], strict=True):
        assert tuple(REFERENCE if bot == CANDIDATE else bot for bot in new.seating) == old.seating
        assert new.label == old.label


@given(EVERY_TABLE)
def test_opponents_are_drawn_from_the_given_bots_and_repeat_only_if_there_are_too_few(
    table: tuple[int, int, int],
) -> None:
    seats, field, number = table
    (first, *_) = block_of(comparison_at(seats, field), number)
    others = Counter(bot for bot in first.seating if bot != CANDIDATE)
    assert all(FIRST <= bot < FIRST + field for bot in others)
    assert max(others.values()) - (min(others.values()) if len(others) == field else 0) <= 1


def test_every_given_bot_is_eventually_drawn_as_an_opponent() -> None:
    met = {bot for fixture in list(list_fixtures(comparison_at(2, 6)))[:200] for bot in fixture.seating}
    assert met == set(range(FIRST + 6)) | {CANDIDATE, REFERENCE}


def test_the_value_of_a_block_of_matches_is_the_candidates_score_minus_the_references_score() -> None:
    block = block_of(comparison_at(2), 0)
    alone_first = [
        ended(fixture, tuple(1 if bot == CANDIDATE else 2 for bot in fixture.seating)) for fixture in block[:2]
    ]
    tied = [ended(fixture, (1, 1)) for fixture in block[2:]]
    assert block_value([*alone_first, *tied]) == pytest.approx(0.5)
    assert block_value([ended(fixture, (1, 1)) for fixture in block]) == 0


def test_blocks_of_matches_are_evaluated_only_until_the_comparison_is_decided() -> None:
    comparison = comparison_at(2)
    drawn = 0

    def won() -> object:
        nonlocal drawn
        for fixture in list_fixtures(comparison):
            drawn += 1
            yield ended(fixture, tuple(1 if bot == CANDIDATE else 2 for bot in fixture.seating))

    known = list(accumulate_block_statistics(comparison, won()))  # type: ignore[arg-type]  # a generator of matches
    assert drawn == 4 * len(known) < 4 * comparison.most
    assert [evidence.blocks for evidence in known] == list(range(1, len(known) + 1))


def test_an_incomplete_block_of_matches_does_not_count_in_a_comparison() -> None:
    comparison = comparison_at(3, most=2)
    some = [ended(fixture, (1, 2, 3)) for fixture in list_fixtures(comparison)]
    assert [evidence.blocks for evidence in accumulate_block_statistics(comparison, some[:-1])] == [1]
    assert [evidence.blocks for evidence in accumulate_block_statistics(comparison, some)] == [1, 2]
