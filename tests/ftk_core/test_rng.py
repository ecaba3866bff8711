"""Randomness depends on the seed and the purpose only, on every machine."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from ftk_core.random_streams import MatchRandomness, seal_of, seed_of

SEED = seed_of("known")


def test_a_random_number_follows_the_documented_algorithm() -> None:
    block = sha256(SEED + b"\0roll/3/1\0" + bytes(8)).digest()
    words = [int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4)]
    draw = MatchRandomness(SEED).at("roll", 3, 1)
    assert [draw.below(1 << 32) for _ in range(8)] == words


def test_random_numbers_for_known_seeds_do_not_change_between_releases() -> None:
    draw = MatchRandomness(SEED).at("known")
    assert [draw.below(6) for _ in range(12)] == [0, 3, 2, 4, 4, 0, 4, 2, 3, 4, 0, 2]
    assert MatchRandomness(SEED).at("deck").shuffled(range(10)) == (8, 2, 6, 9, 1, 3, 5, 0, 4, 7)


def test_random_numbers_drawn_for_one_label_do_not_affect_those_of_another_label() -> None:
    chance = MatchRandomness(SEED)
    chance.at("first").shuffled(range(50))
    assert chance.at("second").below(1000) == MatchRandomness(SEED).at("second").below(1000)
    assert chance.at("a", 1, 2).below(1 << 30) != chance.at("a", 12).below(1 << 30)


def test_every_random_number_below_the_bound_is_equally_likely() -> None:
    draw = MatchRandomness(SEED).at("fair")
    count = Counter(draw.below(6) for _ in range(12_000))
    assert all(abs(times - 2000) < 200 for times in count.values())


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    count = Counter(MatchRandomness(SEED).at("order", n).shuffled("abc") for n in range(6000))
    assert len(count) == 6
    assert all(abs(times - 1000) < 150 for times in count.values())


def test_the_published_hash_of_a_seed_commits_to_that_seed() -> None:
    assert seal_of(SEED) == sha256(SEED).hexdigest()


@pytest.mark.parametrize("bound", [0, -1, (1 << 32) + 1])
def test_drawing_a_random_number_with_an_invalid_bound_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        MatchRandomness(SEED).at("x").below(bound)


def test_a_random_seed_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 3"):
        MatchRandomness(b"abc")
