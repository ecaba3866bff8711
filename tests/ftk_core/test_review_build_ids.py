"""The build id of reviews: it changes with all code that computes their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import ftk_core
from ftk_core.analysis.review_build_ids import review_build_of
from ftk_core.games import build_of, list_games
from ftk_core.native.shared_rules_library import digest_sources, load_library

CORE = Path(ftk_core.__file__).parent


@pytest.fixture(autouse=True)
def loaded_library() -> None:
    """Load the library while its name, a digest of the C++ sources, is that of the real ones."""
    load_library()


@contextmanager
def one_line_more_in(file: str) -> Iterator[None]:
    """Let a file of `ftk_core` end with one more line, and compute all build ids anew."""
    read, changed = Path.read_bytes, CORE / file
    assert changed.is_file()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "read_bytes", lambda path: read(path) + b"\n" * (path == changed))
        clear_caches()
        yield
    clear_caches()


def clear_caches() -> None:
    for cached in (review_build_of, build_of, digest_sources):
        cached.cache_clear()


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("for_the_king", "games/for_the_king/playout_values/playout_policy_weights.py"),
        ("for_the_king", "games/for_the_king/playout_policy.py"),
        ("kings_court", "games/kings_court/suspicions/seat_role_probabilities.py"),
        ("pig", "analysis/playouts.py"),
        ("pig", "random_streams.py"),
        ("pig", "native/native_game_rules.py"),
        ("pig", "native/src/games/pig.hpp"),
    ],
)
def test_the_build_id_of_reviews_changes_with_each_file_that_computes_their_numbers(name: str, file: str) -> None:
    before = review_build_of(name)
    with one_line_more_in(file):
        assert review_build_of(name) != before
    assert review_build_of(name) == before


def test_the_build_id_of_reviews_stays_the_same_if_only_another_game_changes() -> None:
    before = review_build_of("pig")
    with one_line_more_in("games/kings_court/rules.py"):
        assert review_build_of("pig") == before


def test_the_build_id_of_matches_stays_the_same_if_only_the_analysis_changes() -> None:
    before = build_of("pig")
    with one_line_more_in("analysis/playouts.py"):
        assert build_of("pig") == before


def test_the_build_id_of_reviews_has_the_form_of_the_build_id_of_matches() -> None:
    for name in list_games():
        matches, reviews = build_of(name), review_build_of(name)
        assert (len(reviews), reviews.rpartition("+")[0]) == (len(matches), matches.rpartition("+")[0])
        assert reviews != matches
