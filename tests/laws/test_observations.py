"""Observations of a learner: what its seat knows, in a fixed shape, and no secret."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest

from ftk_core.games import game, list_games
from ftk_core.rl.aec_env import SequentialTableEnv
from ftk_core.rl.observation_encoder import ObservationEncoder
from ftk_core.rl.python_parallel_matches import PythonParallelMatches
from tests.support.laws.tables import GAMES_AND_SIZES, play_random_matches
from tests.support.laws.twins import SECRET_GAMES, twin_states

PAIRS = 500
"""Pairs of states that look the same to a seat."""


def sensed(table: SequentialTableEnv, state: Any, seat: int) -> dict[str, Any]:
    """Return the observation of a seat in a state, and the rows of its menu."""
    tables, agent = table.table._tables, f"seat_{seat}"
    assert isinstance(tables, PythonParallelMatches)
    match = tables.matches[0]
    match.state = state
    match.menus = {due: match.game.legal(state, due) for due in match.game.turn(state)}
    table.table.menu_sizes = {due: len(menu) for due, menu in match.menus.items()}
    return {**table.observe(agent), "rows": table.rows(agent)}


@pytest.mark.slow
@pytest.mark.parametrize("name", SECRET_GAMES)
def test_game_states_that_differ_only_in_secrets_give_a_learning_agent_the_same_observation(name: str) -> None:
    for here, there, seat, seats, _ in islice(twin_states(game(name)), PAIRS):
        table = SequentialTableEnv(name, seats, render_mode="ansi")
        table.reset(seed=1)
        np.testing.assert_equal(sensed(table, here, seat), sensed(table, there, seat))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), GAMES_AND_SIZES)
def test_every_view_and_menu_can_be_encoded_within_the_declared_bounds_of_its_types(name: str, seats: int) -> None:
    view_encoder = ObservationEncoder(game(name))
    for match in play_random_matches(name, seats):
        for moment in match.moments[:: max(1, len(match.moments) // 40)]:
            for seat in range(seats):
                row = view_encoder.observation(match.game.view(moment.state, seat), seat, seats)
                assert row.shape == (view_encoder.width,)
                assert 0 <= row.min() <= row.max() <= 1
            rows = view_encoder.rows(moment.menu)
            assert 0 <= rows.min() <= rows.max() <= 1
        for seat in range(seats):
            view_encoder.observation(match.game.view(match.states[-1], seat), seat, seats)


@pytest.mark.parametrize("name", list_games())
def test_every_column_of_an_observation_has_a_unique_name(name: str) -> None:
    view_encoder = ObservationEncoder(game(name))
    assert len(set(view_encoder.names)) == len(view_encoder.names) == view_encoder.width
