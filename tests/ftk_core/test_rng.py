"""Chance follows from the seed and the purpose alone, the same everywhere."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from ftk_core.rng import Chance, seal_of, seed_of

SEED = seed_of("known")


def test_a_draw_is_what_the_description_says() -> None:
    block = sha256(SEED + b"\0roll/3/1\0" + bytes(8)).digest()
    words = [int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4)]
    draw = Chance(SEED).at("roll", 3, 1)
    assert [draw.below(1 << 32) for _ in range(8)] == words


def test_known_values_stay_as_they_are() -> None:
    draw = Chance(SEED).at("known")
    assert [draw.below(6) for _ in range(12)] == [0, 3, 2, 4, 4, 0, 4, 2, 3, 4, 0, 2]
    assert Chance(SEED).at("deck").shuffled(range(10)) == (8, 2, 6, 9, 1, 3, 5, 0, 4, 7)


def test_one_purpose_does_not_disturb_another() -> None:
    chance = Chance(SEED)
    chance.at("first").shuffled(range(50))
    assert chance.at("second").below(1000) == Chance(SEED).at("second").below(1000)
    assert chance.at("a", 1, 2).below(1 << 30) != chance.at("a", 12).below(1 << 30)


def test_every_value_is_equally_likely() -> None:
    draw = Chance(SEED).at("fair")
    count = Counter(draw.below(6) for _ in range(12_000))
    assert all(abs(times - 2000) < 200 for times in count.values())


def test_every_order_is_equally_likely() -> None:
    count = Counter(Chance(SEED).at("order", n).shuffled("abc") for n in range(6000))
    assert len(count) == 6
    assert all(abs(times - 1000) < 150 for times in count.values())


def test_the_seal_commits_to_the_seed() -> None:
    assert seal_of(SEED) == sha256(SEED).hexdigest()


@pytest.mark.parametrize("bound", [0, -1, (1 << 32) + 1])
def test_an_impossible_bound_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        Chance(SEED).at("x").below(bound)


def test_a_seed_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 3"):
        Chance(b"abc")
