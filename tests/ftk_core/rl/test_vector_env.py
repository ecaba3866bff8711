"""The guarantees of the vector environment of Gymnasium."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from ftk_core.games import game
from ftk_core.rl.observation_encoder import ObservationEncoder
from ftk_core.rl.parallel_matches import create_tables
from ftk_core.rl.python_parallel_matches import PythonParallelMatches
from ftk_core.rl.vector_env import VectorTableEnv
from tests.support.laws.tables import GAMES_AND_SIZES


@pytest.mark.parametrize(("name", "seats"), GAMES_AND_SIZES)
def test_the_vector_environment_returns_equal_arrays_whether_or_not_it_copies_them(name: str, seats: int) -> None:
    envs = [VectorTableEnv(name, 4, seats, copy=copy) for copy in (True, False)]
    first, second = (env.reset(seed=5) for env in envs)
    for number in range(60):
        np.testing.assert_array_equal(first[0], second[0])
        np.testing.assert_array_equal(first[-1]["action_mask"], second[-1]["action_mask"])
        assert envs[0].observation_space.contains(first[0])
        actions = first[-1]["menu_size"] * number % np.maximum(first[-1]["menu_size"], 1)
        first, second = (env.step(actions) for env in envs)


def test_a_program_that_writes_into_the_truncations_of_a_step_changes_no_later_step() -> None:
    env = VectorTableEnv("pig", 2)
    env.reset(seed=1)
    for _ in range(2):
        _, _, _, truncated, _ = env.step(np.zeros(2, np.int64))
        assert not truncated.any()
        truncated[:] = True


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


@pytest.mark.parametrize("native", [True, False])
def test_the_vector_environment_refuses_unknown_opponents_by_name(native: bool) -> None:
    with pytest.raises(ValueError, match="opponents are quick, random, none, not 'hold20'"):
        VectorTableEnv("pig", 2, opponents="hold20", native=native)  # type: ignore[arg-type] - that is the test


def test_the_vector_environment_plays_every_seat_in_self_play_and_reports_all_results() -> None:
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


def play_by_table(env: VectorTableEnv, steps: int) -> list[list[tuple[Any, ...]]]:
    """Return by table its questions and ends. Its n-th choice depends on nothing but n, the table and the menu."""
    observations, infos = env.reset(seed=11)
    events: list[list[tuple[Any, ...]]] = [[] for _ in range(env.num_envs)]
    over = np.zeros(env.num_envs, bool)
    for _ in range(steps):
        for table, size in enumerate(infos["menu_size"]):
            if size:
                events[table].append((observations[table].tobytes(), infos["action_mask"][table].tobytes()))
        numbers = np.array([7 * len(known) + table for table, known in enumerate(events)])
        observations, rewards, over, _, infos = env.step(numbers % np.maximum(infos["menu_size"], 1))
        ends, seats = observations, infos["seat"]
        if env.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            ends, seats = infos["final_obs"], infos["final_info"]["seat"]
        for table in np.flatnonzero(over):
            shares = infos["shares"][table].tolist()
            events[table].append((ends[table].tobytes(), rewards[table], shares, seats[table]))
    return events


@pytest.mark.parametrize(
    ("name", "opponents", "native"),
    [*product(["pig"], ["random", "none"], [True, False]), ("for_the_king", "none", True)],
)
def test_the_vector_environment_plays_the_same_matches_in_both_autoreset_modes(
    name: str, opponents: Any, native: bool
) -> None:
    modes = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)
    later, at_once = (
        play_by_table(VectorTableEnv(name, 3, opponents=opponents, native=native, autoreset_mode=mode), 400)
        for mode in modes
    )
    for one, other in zip(later, at_once, strict=True):
        assert len(one) <= len(other)
        assert any(len(event) == 4 for event in one)
        assert other[: len(one)] == one


def test_a_vector_environment_that_resets_in_the_same_step_never_returns_an_empty_menu() -> None:
    env = VectorTableEnv("pig", 8, autoreset_mode=AutoresetMode.SAME_STEP)
    _, infos = env.reset(seed=1)
    ends = 0
    for _ in range(400):
        _, _, over, _, infos = env.step(infos["menu_size"] - 1)
        assert infos["menu_size"].min() > 0
        assert ("final_obs" in infos) == over.any()
        ends += over.sum()
    assert ends > 8


def test_the_vector_environment_refuses_invalid_sizes_modes_and_actions_with_the_reason() -> None:
    with pytest.raises(ValueError, match="at least one table, not 0"):
        VectorTableEnv("pig", 0)
    with pytest.raises(ValueError, match="played by 2 to 6, not by 9"):
        VectorTableEnv("pig", 1, 9)
    with pytest.raises(ValueError, match="NEXT_STEP or SAME_STEP"):
        VectorTableEnv("pig", 1, autoreset_mode=AutoresetMode.DISABLED)
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
    monkeypatch.setattr("ftk_core.rl.parallel_matches.has_native_rules", lambda _game: False)
    assert isinstance(create_tables(ObservationEncoder(game("pig")), 2, None), PythonParallelMatches)
