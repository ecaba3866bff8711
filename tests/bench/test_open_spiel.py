"""Our games as OpenSpiel games pass OpenSpiel's own simulation test, where `make bench` has installed open-spiel."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

import pytest

from ftk_core.games import list_games

pytestmark = pytest.mark.skipif(find_spec("pyspiel") is None, reason="open-spiel is not installed")


@pytest.fixture(scope="module")
def pyspiel() -> Any:
    import_module("ftk_core.rl.open_spiel_games")
    return import_module("pyspiel")


def play(pyspiel: Any, name: str, seed: int) -> Any:
    """Return the final state of a random match."""
    draw, state = Random(seed), pyspiel.load_game(name).new_initial_state()
    while not state.is_terminal():
        outcomes = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else None
        state.apply_action(draw.choice(outcomes or state.legal_actions()))
    return state


@pytest.mark.parametrize("name", list_games())
def test_each_of_our_games_passes_the_simulation_test_of_openspiel(pyspiel: Any, name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(f"ftk_{name}"), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", list_games())
def test_the_rewards_of_a_match_in_openspiel_lie_between_0_and_1_and_sum_to_half_the_number_of_players(
    pyspiel: Any, name: str
) -> None:
    state = play(pyspiel, f"ftk_{name}", 1)
    assert sum(state.returns()) == pytest.approx(state.num_players() / 2)
    assert all(0 <= share <= 1 for share in state.returns())


def test_replaying_the_openspiel_history_of_a_match_gives_the_same_state(pyspiel: Any) -> None:
    state = play(pyspiel, "ftk_for_the_king", 2)
    again = pyspiel.load_game("ftk_for_the_king").new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert str(again) == str(state)


def test_the_openspiel_information_state_of_a_player_hides_the_cards_of_other_players(pyspiel: Any) -> None:
    state, draw = pyspiel.load_game("ftk_for_the_king").new_initial_state(), Random(3)
    while state.is_chance_node():
        state.apply_action(draw.choice([action for action, _ in state.chance_outcomes()]))
    own, other = (state.information_state_string(seat) for seat in range(2))
    assert own != other
    assert "null" in own
    assert "null" in other


def test_openspiel_refuses_a_number_of_players_that_the_game_does_not_allow(pyspiel: Any) -> None:
    with pytest.raises(Exception, match="7"):
        pyspiel.load_game("ftk_pig(players=7)")
