"""PettingZoo's own checks for every game and table size."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test

from ftk_core.games import list_games
from ftk_core.rl.aec_env import SequentialTableEnv
from ftk_core.rl.parallel_env import AgentActionMissingError, SimultaneousMovesEnv
from tests.support.laws.tables import GAMES_AND_SIZES

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), GAMES_AND_SIZES)
# PettingZoo warns of all observation spaces except plain boxes, even of its own form for action masks
MASKED = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]


def masked(test: Callable[..., None]) -> Callable[..., None]:
    for mark in MASKED:
        test = mark(test)
    return test


@pytest.mark.slow
@masked
@EVERYWHERE
def test_the_turn_based_environment_passes_the_checks_of_pettingzoo(name: str, seats: int) -> None:
    api_test(SequentialTableEnv(name, seats))


@pytest.mark.slow
@EVERYWHERE
def test_the_turn_based_environment_plays_the_same_match_with_the_same_seed(name: str, seats: int) -> None:
    seed_test(lambda: SequentialTableEnv(name, seats))


@pytest.mark.slow
@EVERYWHERE
def test_the_parallel_environment_passes_the_checks_of_pettingzoo(name: str, seats: int) -> None:
    parallel_api_test(SimultaneousMovesEnv(name, seats))


@EVERYWHERE
def test_the_parallel_environment_plays_the_same_match_with_the_same_seed(name: str, seats: int) -> None:
    parallel_seed_test(lambda: SimultaneousMovesEnv(name, seats), num_cycles=50)


@pytest.mark.slow
@pytest.mark.parametrize("name", list_games())
def test_the_turn_based_and_the_parallel_environment_play_the_same_match(name: str) -> None:
    turns, once = SequentialTableEnv(name), SimultaneousMovesEnv(name)
    turns.reset(seed=7)
    sensed, _ = once.reset(seed=7)
    rewards: dict[str, float] = {}
    while once.agents:
        asked = [agent for agent in once.agents if sensed[agent]["action_mask"].any()]
        actions = dict.fromkeys(once.agents, 0)
        for agent in asked:
            assert turns.agent_selection == agent
            np.testing.assert_equal(turns.observe(agent), sensed[agent])
            actions[agent] = int(sensed[agent]["action_mask"].sum()) - 1
            turns.step(actions[agent])
        sensed, rewards, *_ = once.step(actions)
    assert turns.rewards == rewards
    assert sum(rewards.values()) == pytest.approx(turns.table.seats / 2)


def test_an_agent_does_not_see_the_simultaneous_choices_of_others() -> None:
    def seen(first: int) -> np.ndarray:
        table = SequentialTableEnv("kings_court")
        table.reset(seed=3)
        while len(table.table.menu_sizes) < 2:
            table.step(1)
        table.step(first)
        return table.observe(table.agent_selection)["observation"]

    np.testing.assert_array_equal(seen(0), seen(5))


def test_an_environment_replaces_an_illegal_action_by_menu_item_0_and_records_a_fault() -> None:
    table, other = SequentialTableEnv("for_the_king"), SequentialTableEnv("for_the_king")
    table.reset(seed=1)
    other.reset(seed=1)
    asked = table.agent_selection
    table.step(99)
    other.step(0)
    assert table.infos[asked] == {"excuse": "nonsense"}
    np.testing.assert_equal(table.observe("seat_1"), other.observe("seat_1"))


def test_stepping_the_parallel_environment_without_the_action_of_an_agent_raises_an_error_naming_it() -> None:
    table = SimultaneousMovesEnv("pig")
    table.reset(seed=1)
    with pytest.raises(AgentActionMissingError, match="seat_0 is asked"):
        table.step({"seat_1": 0})


def test_rendering_an_environment_returns_the_game_state_as_sentences() -> None:
    table = SequentialTableEnv("pig", render_mode="ansi")
    table.reset(seed=1)
    assert "seat_0 rolls a" in table.render()
    assert table.render() == ""


@pytest.mark.parametrize("name", list_games())
def test_later_observations_do_not_overwrite_the_values_of_an_earlier_observation(name: str) -> None:
    table = SequentialTableEnv(name)
    table.reset(seed=1)
    first = table.observe(table.agent_selection)
    observed, mask = first["observation"].copy(), first["action_mask"].copy()
    while not table.terminations[agent := table.agent_selection]:
        table.observe(agent)
        table.step(0)
    np.testing.assert_array_equal(first["observation"], observed)
    np.testing.assert_array_equal(first["action_mask"], mask)
    assert observed.any()
