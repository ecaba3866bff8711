"""Ladders of the last release: their facts say what they did, in the order of arrival."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from django.db import transaction

from bots.models import BotVersion
from ftk_core.facts import encode
from replays.store import StreamLog
from tests.support.ladders import NAMES, Ratings, bot, counted, elo
from tournaments import ladder, tasks
from tournaments.elo import FIRST, START, deltas, k_after
from tournaments.ladder_facts import Change, MatchRated, stream_of
from tournaments.models import RatedSeat, Rating


@pytest.fixture
def field(db: None) -> list[BotVersion]:
    """Six bots that have not played."""
    return [bot(slug) for slug in NAMES]


def old_ladder(
    results: Sequence[tuple[Sequence[str], tuple[int, ...]]], seasons: Sequence[str] = ("", "2025")
) -> Ratings:
    """Write streams as the last release did, and return what ratings they say."""
    values = dict.fromkeys(NAMES, START)
    lines = []
    for number, (names, places) in enumerate(results):
        before = [values[name] for name in names]
        moved = deltas(before, places, [FIRST] * len(names))
        changes = tuple(Change(name, was, delta) for name, was, delta in zip(names, before, moved, strict=True))
        lines.append(encode(MatchRated(f"old{number}", places, changes)) + b"\n")
        values |= {name: was + delta for name, was, delta in zip(names, before, moved, strict=True)}
    for season in seasons:
        stream = StreamLog.alone(stream_of("pig", season))
        stream.append(lines, stream.length)
    return {name: (value, 0, 0) for name, value in values.items()}


def some_old(count: int) -> list[tuple[Sequence[str], tuple[int, ...]]]:
    luck = Random(count)
    return [(luck.sample(NAMES, 3), tuple(luck.sample((1, 2, 3), 3))) for _ in range(count)]


def test_a_line_of_the_last_release_still_folds(field: list[BotVersion]) -> None:
    line = (
        b'{"kind":"match_rated","match":"m0","places":[1,2],"changes":[{"name":"ada","before":1500000,"delta":17000},'
        b'{"name":"bo","before":1500000,"delta":-17000}]}\n'
    )
    with transaction.atomic():
        StreamLog.alone(stream_of("pig")).append([line], 0)
    assert ladder.catch_up() == 1
    assert elo() == {"ada": (1_517_000, 1, 1), "bo": (1_483_000, 1, 0)}, "as recorded, whatever today's rule says"
    assert ladder.catch_up() == 0


def test_an_arena_of_the_last_release_opens_and_what_it_rated_stands_before_all_else(field: list[BotVersion]) -> None:
    with transaction.atomic():
        said = old_ladder(some_old(40))
    Rating.objects.create(bot=field[0].bot, game="pig", value=1)  # what stood there, folded by other rules
    tasks.sweep()
    assert {name: value for name, (value, *_) in elo().items()} == {name: value for name, (value, *_) in said.items()}
    assert sum(games for _, games, _ in elo().values()) == 120
    ladder.rate("pig", "2026", [counted("new", NAMES[:2], (1, 2))])
    values = [said[name][0] for name in NAMES[:2]]
    ks = [k_after(RatedSeat.objects.filter(ladder__season="2025", bot__slug=name).count()) for name in NAMES[:2]]
    assert [elo()[name][0] for name in NAMES[:2]] == [
        value + delta for value, delta in zip(values, deltas(values, (1, 2), ks), strict=True)
    ]


def test_what_was_rated_before_there_was_an_order_is_corrected_and_previewed_too(field: list[BotVersion]) -> None:
    results = some_old(12)
    with transaction.atomic():
        old_ladder(results)
    ladder.catch_up()
    otherwise = [(names, places[::-1] if number == 4 else places) for number, (names, places) in enumerate(results)]
    shifts = ladder.preview("pig", "2025", {"old4": results[4][1][::-1]})
    before = elo()
    ladder.correct("old4", results[4][1][::-1], "the seats were read from the wrong end")
    after = elo()
    with transaction.atomic():
        said = old_ladder(otherwise, ["2024"])
    assert {name: value for name, (value, *_) in after.items()} == {name: value for name, (value, *_) in said.items()}
    changed = [name for name in sorted(NAMES) if before[name][0] != after[name][0]]
    assert shifts == [(name, before[name][0], after[name][0]) for name in changed]
