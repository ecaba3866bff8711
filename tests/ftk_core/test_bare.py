"""Play by the rules alone has the referee's result, and with fresh luck it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from ftk_core.facts import Action
from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog
from ftk_core.log_writer import LogWriter
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import MatchRandomness, UnseededRandomness, seed_of
from ftk_core.referee import Referee, build_opening
from ftk_core.unlogged_play import play_without_log
from tests.support.laws.by_game import options_for
from tests.support.laws.tables import GAMES_AND_SIZES

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), GAMES_AND_SIZES)


@EVERYWHERE
def test_a_match_played_without_log_and_clock_has_the_same_result_as_with_the_referee(name: str, seats: int) -> None:
    rules, seed, options = game(name), seed_of("bare", name, seats), options_for(name, seats, 1)
    opened = build_opening(rules, "match", [f"Player {seat}" for seat in range(seats)], seed, options=options)
    referee = Referee(
        rules, opened, seed, [RandomPlayer(seed_of(seat)) for seat in range(seats)], LogWriter(InMemoryLog())
    )
    referee.play()
    draws = [MatchRandomness(seed_of(seat)).at("random player") for seat in range(seats)]

    def choose(_state: Any, seat: int, menu: Sequence[Action]) -> int:
        return draws[seat].below(len(menu))

    assert play_without_log(rules, seats, MatchRandomness(seed), choose, options)[0] == referee.state
    slow = replace(rules, follow=None)
    draws = [MatchRandomness(seed_of(seat)).at("random player") for seat in range(seats)]
    assert play_without_log(slow, seats, MatchRandomness(seed), choose, options)[0] == referee.state


@EVERYWHERE
def test_a_match_played_with_unseeded_random_numbers_ends(name: str, seats: int) -> None:
    rules, below = game(name), Random(f"{name} {seats}").randrange

    def choose(_state: Any, _seat: int, menu: Sequence[Action]) -> int:
        return below(len(menu))

    state, asked = play_without_log(rules, seats, UnseededRandomness(below), choose)
    assert asked
    assert rules.turn(state) == ()
    assert min(rules.result(state).places) == 1


def test_a_number_of_players_that_the_game_does_not_allow_is_refused() -> None:
    with pytest.raises(ValueError, match="played by 2 to 6, not by 9"):
        play_without_log(game("pig"), 9, MatchRandomness(seed_of(1)), lambda _state, _seat, _menu: 0)
