"""The build id of reviews: it changes with all code that computes their numbers."""

from __future__ import annotations

import pytest

from ftk_core.analysis.analysis_build_ids import analysis_build_of
from ftk_core.games import build_of, list_games
from tests.support.changed_code import one_line_more_in


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
    before = analysis_build_of(name)
    with one_line_more_in(file):
        assert analysis_build_of(name) != before
    assert analysis_build_of(name) == before


def test_the_build_id_of_reviews_stays_the_same_if_only_another_game_changes() -> None:
    before = analysis_build_of("pig")
    with one_line_more_in("games/kings_court/rules.py"):
        assert analysis_build_of("pig") == before


def test_the_build_id_of_matches_stays_the_same_if_only_the_analysis_changes() -> None:
    before = build_of("pig")
    with one_line_more_in("analysis/playouts.py"):
        assert build_of("pig") == before


def test_the_build_id_of_reviews_has_the_form_of_the_build_id_of_matches() -> None:
    for name in list_games():
        matches, reviews = build_of(name), analysis_build_of(name)
        assert (len(reviews), reviews.rpartition("+")[0]) == (len(matches), matches.rpartition("+")[0])
        assert reviews != matches
