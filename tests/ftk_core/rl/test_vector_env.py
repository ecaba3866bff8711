"""The guarantees of the vector environment of Gymnasium."""

from __future__ import annotations

import numpy as np
import pytest

from ftk_core.games import game
from ftk_core.rl.match_tables import create_tables
from ftk_core.rl.observation_encoder import ObservationEncoder
from ftk_core.rl.python_match_tables import PythonMatchTables
from ftk_core.rl.vector_env import VectorTableEnv
from tests.support.laws.tables import GAMES_AND_SIZES


@pytest.mark.parametrize(("name", "seats"), GAMES_AND_SIZES)
def test_the_vector_environment_gives_the_same_steps_with_the_same_seed_with_or_without_array_copies(
    name: str, seats: int
) -> None:
    envs = [VectorTableEnv(name, 4, seats, copy=copy) for copy in (True, False)]
    first, second = (env.reset(seed=5) for env in envs)
    for number in range(60):
        np.testing.assert_array_equal(first[0], second[0])
        np.testing.assert_array_equal(first[-1]["action_mask"], second[-1]["action_mask"])
        assert envs[0].observation_space.contains(first[0])
        actions = first[-1]["menu_size"] * number % np.maximum(first[-1]["menu_size"], 1)
        first, second = (env.step(actions) for env in envs)


def test_the_vector_environment_starts_a_new_match_at_the_step_after_the_end_of_a_match() -> None:
    env = VectorTableEnv("pig", 8, 2, opponents="quick")
    _, infos = env.reset(seed=1)
    ends = np.zeros(8, bool)
    rewards = list[float]()
    for _ in range(400):
        _, reward, over, truncated, infos = env.step(np.maximum(infos["menu_size"] - 1, 0))
        assert not truncated.any()
        assert (infos["menu_size"][over] == 0).all()
        assert (reward[~over] == 0).all()
        assert (infos["menu_size"][ends] > 0).all()
        np.testing.assert_array_equal(infos["action_mask"].sum(axis=1), infos["menu_size"])
        rewards += list(reward[over])
        ends = over
    assert len(rewards) > 8
    assert set(rewards) <= {0.0, 1.0}


def test_in_self_play_the_vector_environment_lets_the_seat_to_move_choose_and_reports_all_results() -> None:
    env = VectorTableEnv("pig", 2, 3, opponents="none")
    _, infos = env.reset(seed=3)
    seen = set[int]()
    for _ in range(300):
        _, reward, over, _, infos = env.step(infos["menu_size"] - 1)
        seen |= set(infos["seat"].tolist())
        for table in np.flatnonzero(over):
            assert infos["shares"][table].sum() == pytest.approx(1.5)
            assert reward[table] == infos["shares"][table, infos["seat"][table]]
    assert seen == {0, 1, 2}


def test_the_vector_environment_refuses_invalid_use_with_the_reason() -> None:
    with pytest.raises(ValueError, match="at least one table, not 0"):
        VectorTableEnv("pig", 0)
    with pytest.raises(ValueError, match="played by 2 to 6, not by 9"):
        VectorTableEnv("pig", 1, 9)
    env = VectorTableEnv("pig", 2)
    with pytest.raises(RuntimeError, match="call reset"):
        env.step([0, 0])
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"2 are needed, not \(3,\)"):
        env.step([0, 0, 0])
    assert env.step([9, 0])[-1]["excused"].tolist() == [True, False]


def test_the_vector_environment_uses_the_python_rules_if_the_native_library_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ftk_core.rl.match_tables.has_native_rules", lambda _game: False)
    assert isinstance(create_tables(ObservationEncoder(game("pig")), 2, None), PythonMatchTables)
