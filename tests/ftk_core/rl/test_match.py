"""A match without a log has the same result as one with a log."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog
from ftk_core.log_writer import LogWriter
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import Referee, build_opening
from ftk_core.rl.simulated_match import ActionLimitExceeded, SimulatedMatch
from tests.support.laws.by_game import options_for
from tests.support.laws.tables import GAMES_AND_SIZES

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), GAMES_AND_SIZES)


@pytest.mark.slow
@EVERYWHERE
def test_a_match_played_without_a_log_has_the_same_result_as_with_the_referee(name: str, seats: int) -> None:
    rules, seed, options = game(name), seed_of("bare", name, seats), options_for(name, seats, 1)
    opened = build_opening(rules, "match", [f"Player {seat}" for seat in range(seats)], seed, options=options)
    referee = Referee(
        rules, opened, seed, [RandomPlayer(seed_of(seat)) for seat in range(seats)], LogWriter(InMemoryLog())
    )
    result = referee.play()
    match, draws = SimulatedMatch(rules, seats, seed, options), [RandomPlayer(seed_of(seat)) for seat in range(seats)]
    while match.menus:
        match.choose(
            {seat: draws[seat]._draw.below(len(menu)) for seat, menu in match.menus.items() if len(menu) > 1}
            | {seat: 0 for seat, menu in match.menus.items() if len(menu) == 1}
        )
    assert match.history == referee.history
    assert match.state == referee.state
    assert match.result == result


@pytest.mark.slow
@EVERYWHERE
def test_players_are_asked_to_make_a_forced_move_only_in_states_in_which_the_game_hides_forced_moves(
    name: str, seats: int
) -> None:
    rules, draw = game(name), Random(f"{name} {seats}")
    match = SimulatedMatch(rules, seats, seed_of("forced", name, seats), options_for(name, seats, 2))
    while match.menus:
        if rules.veiled(match.state):
            assert tuple(match.menus) == rules.turn(match.state)
        else:
            assert all(len(menu) > 1 for menu in match.menus.values())
        match.choose({seat: draw.randrange(min(len(menu), 4)) for seat, menu in match.menus.items()})


def test_a_menu_longer_than_the_maximum_declared_by_the_game_raises_an_error() -> None:
    short = dataclasses.replace(game("pig"), longest_menu=1)
    with pytest.raises(ActionLimitExceeded, match="seat 0 has 2 choices and Pig says 1"):
        SimulatedMatch(short, 2, seed_of(1))
