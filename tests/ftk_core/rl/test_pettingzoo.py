"""PettingZoo's own tests, over every game and table size."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test

from ftk_core.games import shelf
from ftk_core.rl.at_once import NoAction, TableAtOnce
from ftk_core.rl.in_turn import TableInTurn
from tests.support.laws.tables import EVERY

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), EVERY)
# PettingZoo warns of everything but plain boxes, also of the form that it names itself for masks
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
def test_a_table_in_turn_is_as_pettingzoo_wants_it(name: str, seats: int) -> None:
    api_test(TableInTurn(name, seats))


@EVERYWHERE
def test_a_table_in_turn_is_the_same_again_with_the_same_seed(name: str, seats: int) -> None:
    seed_test(lambda: TableInTurn(name, seats))


@EVERYWHERE
def test_a_table_at_once_is_as_pettingzoo_wants_it(name: str, seats: int) -> None:
    parallel_api_test(TableAtOnce(name, seats))


@EVERYWHERE
def test_a_table_at_once_is_the_same_again_with_the_same_seed(name: str, seats: int) -> None:
    parallel_seed_test(lambda: TableAtOnce(name, seats), num_cycles=50)


@pytest.mark.slow
@pytest.mark.parametrize("name", shelf())
def test_both_forms_play_the_same_match(name: str) -> None:
    turns, once = TableInTurn(name), TableAtOnce(name)
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


def test_who_has_chosen_sees_nothing_of_what_others_choose_at_the_same_time() -> None:
    def seen(first: int) -> np.ndarray:
        table = TableInTurn("kings_court")
        table.reset(seed=3)
        while len(table.table.match.menus) < 2:
            table.step(1)
        table.step(first)
        return table.observe(table.agent_selection)["observation"]

    np.testing.assert_array_equal(seen(0), seen(5))


def test_an_answer_off_the_menu_is_nonsense_and_item_0_is_played() -> None:
    table, other = TableInTurn("for_the_king"), TableInTurn("for_the_king")
    table.reset(seed=1)
    other.reset(seed=1)
    asked = table.agent_selection
    table.step(99)
    other.step(0)
    assert table.infos[asked] == {"excuse": "nonsense"}
    np.testing.assert_equal(table.observe("seat_1"), other.observe("seat_1"))


def test_an_agent_that_is_asked_and_says_nothing_is_named() -> None:
    table = TableAtOnce("pig")
    table.reset(seed=1)
    with pytest.raises(NoAction, match="seat_0 is asked"):
        table.step({"seat_1": 0})


def test_a_table_is_rendered_in_sentences() -> None:
    table = TableInTurn("pig", render_mode="ansi")
    table.reset(seed=1)
    assert "seat_0 rolls a" in table.render()
    assert table.render() == ""
