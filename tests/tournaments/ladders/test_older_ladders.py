"""Ladders written by the previous release, which counted matches in the order of arrival."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from django.db import transaction

from bots.models import BotVersion
from ftk_core.facts import encode
from replays.event_stream_storage import EventAppender
from tests.support.ladders import NAMES, Ratings, build_match, create_bot, read_elo
from tournaments import tasks
from tournaments.ladders import ladder_match_rating
from tournaments.ladders.elo_ratings import LEGACY_K, START_RATING, compute_deltas, compute_k
from tournaments.ladders.ladder_event_types import LegacyMatchRated, RatingChange, stream_of
from tournaments.models import RatedMatchSeat, Rating


@pytest.fixture
def field(db: None) -> list[BotVersion]:
    """Six bots without a match."""
    return [create_bot(slug) for slug in NAMES]


def old_ladder(
    results: Sequence[tuple[Sequence[str], tuple[int, ...]]], seasons: Sequence[str] = ("", "2025")
) -> Ratings:
    """Write ladder streams in the format of the previous release, and return their ratings."""
    values = dict.fromkeys(NAMES, START_RATING)
    lines = []
    for number, (names, places) in enumerate(results):
        before = [values[name] for name in names]
        moved = compute_deltas(before, places, [LEGACY_K] * len(names))
        changes = tuple(RatingChange(name, was, delta) for name, was, delta in zip(names, before, moved, strict=True))
        lines.append(encode(LegacyMatchRated(f"old{number}", places, changes)) + b"\n")
        values |= {name: was + delta for name, was, delta in zip(names, before, moved, strict=True)}
    for season in seasons:
        stream = EventAppender.open_locked(stream_of("pig", season))
        stream.append(lines, stream.length)
    return {name: (value, 0, 0) for name, value in values.items()}


def some_old(count: int) -> list[tuple[Sequence[str], tuple[int, ...]]]:
    luck = Random(count)
    return [(luck.sample(NAMES, 3), tuple(luck.sample((1, 2, 3), 3))) for _ in range(count)]


def test_rating_events_written_by_the_previous_release_can_still_be_read(field: list[BotVersion]) -> None:
    line = (
        b'{"kind":"match_rated","match":"m0","places":[1,2],"changes":[{"name":"ada","before":1500000,"delta":17000},'
        b'{"name":"bo","before":1500000,"delta":-17000}]}\n'
    )
    with transaction.atomic():
        EventAppender.open_locked(stream_of("pig")).append([line], 0)
    assert ladder_match_rating.catch_up() == 1
    assert read_elo() == {"ada": (1_517_000, 1, 1), "bo": (1_483_000, 1, 0)}, "as recorded, whatever today's rule says"
    assert ladder_match_rating.catch_up() == 0


def test_matches_rated_by_the_previous_release_are_ordered_before_all_newer_matches(field: list[BotVersion]) -> None:
    with transaction.atomic():
        said = old_ladder(some_old(40))
    Rating.objects.create(bot=field[0].bot, game="pig", value=1)  # what stood there, folded by other rules
    tasks.sweep()
    assert {name: value for name, (value, *_) in read_elo().items()} == {
        name: value for name, (value, *_) in said.items()
    }
    assert sum(games for _, games, _ in read_elo().values()) == 120
    ladder_match_rating.rate("pig", "2026", [build_match("new", NAMES[:2], (1, 2))])
    values = [said[name][0] for name in NAMES[:2]]
    ks = [compute_k(RatedMatchSeat.objects.filter(ladder__season="2025", bot__slug=name).count()) for name in NAMES[:2]]
    assert [read_elo()[name][0] for name in NAMES[:2]] == [
        value + delta for value, delta in zip(values, compute_deltas(values, (1, 2), ks), strict=True)
    ]


def test_matches_rated_by_the_previous_release_can_be_corrected(field: list[BotVersion]) -> None:
    results = some_old(12)
    with transaction.atomic():
        old_ladder(results)
    ladder_match_rating.catch_up()
    otherwise = [(names, places[::-1] if number == 4 else places) for number, (names, places) in enumerate(results)]
    ladder_match_rating.correct("old4", results[4][1][::-1], "the seats were read from the wrong end")
    after = read_elo()
    with transaction.atomic():
        said = old_ladder(otherwise, ["2024"])
    assert {name: value for name, (value, *_) in after.items()} == {name: value for name, (value, *_) in said.items()}
