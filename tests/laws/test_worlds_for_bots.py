"""States sent to bots that look ahead: they contain nothing that the bot's seat does not know."""

from __future__ import annotations

import dataclasses
import os
from itertools import islice
from typing import Any

import pytest

from ftk_core.games import game
from ftk_core.kit.protocol.protocol_lines import CompleteMatchStateLine
from ftk_core.match_state_from_log import AnyGame
from ftk_core.players import QuestionToSeat
from tests.support.finger_game import FINGERS
from tests.support.laws.tables import GAMES_AND_SIZES, play_random_match
from tests.support.laws.twins import SECRET_GAMES, twin_questions

PAIRS = int(os.environ.get("FTK_TWIN_PAIRS", "150"))
"""Pairs of states that look the same to a seat; `make laws` compares more."""


def world_of(rules: AnyGame, state: Any, seat: int, number: int) -> bytes:
    """Return the state that a bot gets if it requests the world at a question."""
    ask = QuestionToSeat(rules, state, seat, rules.legal(state, seat), number=number)
    return bytes(CompleteMatchStateLine.of(ask).state)


def compare_twins(rules: AnyGame, pairs: int) -> None:
    """Compare the worlds of states that look the same to a seat."""
    for number, (here, there, seat, _, _) in enumerate(islice(twin_questions(rules), pairs)):
        assert world_of(rules, here, seat, number) == world_of(rules, there, seat, number)


@pytest.mark.slow
@pytest.mark.parametrize("name", SECRET_GAMES)
def test_a_bot_gets_the_same_sampled_game_state_from_states_that_it_cannot_distinguish(name: str) -> None:
    compare_twins(game(name), PAIRS)


def test_the_secrecy_check_detects_a_game_that_sends_hidden_cards_to_bots_without_resampling() -> None:
    leaky = dataclasses.replace(game("for_the_king"), resample=lambda state, _viewer, _chance: state)
    with pytest.raises(AssertionError):
        compare_twins(leaky, PAIRS)


def test_a_game_that_cannot_resample_hidden_information_sends_no_game_state_to_bots() -> None:
    rules = dataclasses.replace(game("for_the_king"), resample=None)
    match = play_random_match("for_the_king", 3, 0)
    moment = match.moments[0]
    assert QuestionToSeat(rules, moment.state, 0, moment.menu, number=1).world is None


def test_a_game_whose_only_type_of_event_has_a_secret_sends_no_game_state_to_bots() -> None:
    state = FINGERS.setup(2, FINGERS.options())
    assert QuestionToSeat(FINGERS, state, 0, FINGERS.legal(state, 0), number=1).world is None


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), GAMES_AND_SIZES)
def test_a_player_has_the_same_menu_in_the_sampled_game_state_as_in_the_match(name: str, seats: int) -> None:
    rules = game(name)
    for match in (play_random_match(name, seats, number) for number in range(2)):
        for number, moment in enumerate(match.moments[:: max(1, len(match.moments) // 60)]):
            for seat in rules.turn(moment.state):
                menu = rules.legal(moment.state, seat)
                world = QuestionToSeat(rules, moment.state, seat, menu, number=number).world
                assert rules.legal(world, seat) == menu
