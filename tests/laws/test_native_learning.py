"""The native tables of learning programs give the same numbers as those of the Python rules."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from ftk_core.games import game
from ftk_core.native.shared_rules_library import NativeError
from ftk_core.random_streams import seed_of
from ftk_core.rl.match_step_arrays import MatchStepArrays, Opponents
from ftk_core.rl.native_parallel_matches import NativeParallelMatches
from ftk_core.rl.observation_encoder import ObservationEncoder
from ftk_core.rl.python_parallel_matches import PythonParallelMatches
from ftk_core.rl.simulated_match import ActionLimitExceeded
from tests.support.laws.by_game import options_for
from tests.support.laws.tables import GAMES_AND_SIZES
from tests.support.native_rules import NATIVE_GAMES

pytestmark = pytest.mark.usefixtures("native_library")

NATIVE_TABLES = [(name, seats) for name, seats in GAMES_AND_SIZES if name in NATIVE_GAMES]
ARRAYS = ("observations", "masks", "seats", "sizes", "rewards", "shares", "over", "excused")
MAX_STEPS = 5000
LOW_ITEMS = 4
"""Number of menu items among which players choose, so that they see all parts of a match."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), NATIVE_TABLES)
def test_training_with_python_and_with_native_rules_gives_the_same_questions_and_observations(
    name: str, seats: int
) -> None:
    view_encoder, random, options = (
        ObservationEncoder(game(name)),
        Random(f"{name} {seats}"),
        options_for(name, seats, 1),
    )
    ours, theirs = (
        PythonParallelMatches(view_encoder, seats, options),
        NativeParallelMatches(view_encoder, seats, options),
    )
    asked = ours.deal(0, seed_of("learning", name, seats))
    assert theirs.deal(0, seed_of("learning", name, seats)) == asked
    while asked:
        seat = random.randrange(seats)
        np.testing.assert_array_equal(ours.observe(0, seat), theirs.observe(0, seat))
        np.testing.assert_array_equal(ours.rows(0, seat), theirs.rows(0, seat))
        choices = {seat: random.randrange(min(size, LOW_ITEMS)) for seat, size in asked.items()}
        asked = ours.answer(0, choices)
        assert theirs.answer(0, choices) == asked
    assert ours.places(0) == theirs.places(0)


@pytest.mark.slow
@pytest.mark.parametrize("opponents", ["quick", "random", "none"])
@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_stepping_many_matches_gives_the_same_arrays_with_python_and_with_native_rules(
    name: str, opponents: Opponents
) -> None:
    rules, tables = game(name), 3
    view_encoder, seats = ObservationEncoder(rules), rules.seats.start + 1
    engines = [
        engine(view_encoder, seats, None, tables, opponents)
        for engine in (PythonParallelMatches, NativeParallelMatches)
    ]
    arrays, random = [MatchStepArrays(view_encoder, tables, seats) for _ in engines], np.random.default_rng(1)
    for engine in engines:
        engine.start_series("equal")
    actions = None
    for _ in range(MAX_STEPS):
        for engine, array in zip(engines, arrays, strict=True):
            engine.step(actions, array)
        for part in ARRAYS:
            np.testing.assert_array_equal(*(getattr(array, part) for array in arrays), err_msg=part)
        if actions is not None and arrays[0].over.any():
            break
        actions = random.integers(-1, np.minimum(arrays[0].sizes, LOW_ITEMS) + 1)
    else:
        pytest.fail(f"no match ended in {MAX_STEPS} steps")
    for engine, array in zip(engines, arrays, strict=True):  # this step deals the next match
        engine.step(actions, array)
    np.testing.assert_array_equal(arrays[0].observations, arrays[1].observations)


def test_missing_and_out_of_range_choices_raise_the_same_errors_with_python_and_with_native_rules() -> None:
    view_encoder = ObservationEncoder(game("pig"))
    for engine in (PythonParallelMatches, NativeParallelMatches):
        tables = engine(view_encoder, 2)
        assert tables.deal(0, seed_of("errors")) == {0: 2} or tables.answer(0, {0: 0})
        with pytest.raises(KeyError):
            tables.answer(0, {})
        with pytest.raises(IndexError):
            tables.answer(0, {0: 7})


def test_the_native_rules_raise_an_error_if_a_menu_is_longer_than_the_declared_maximum() -> None:
    view_encoder = ObservationEncoder(game("pig"))
    view_encoder.actions = 1
    with pytest.raises(ActionLimitExceeded, match="a menu of 2 items"):
        NativeParallelMatches(view_encoder, 2).deal(0, seed_of("short"))


def test_the_native_rules_refuse_an_observation_encoding_made_for_another_game() -> None:
    view_encoder, other = ObservationEncoder(game("pig")), ObservationEncoder(game("for_the_king"))
    view_encoder.plan, view_encoder.width = other.plan, other.width
    with pytest.raises(NativeError, match="does not describe this type"):
        NativeParallelMatches(view_encoder, 2)
