"""A match without a log is the same match."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from ftk_core.games import game
from ftk_core.log import MemoryLog
from ftk_core.players import RandomPlayer
from ftk_core.referee import Referee, opening
from ftk_core.rl.match import BareMatch, MenuTooLong
from ftk_core.rng import seed_of
from ftk_core.scribe import Scribe
from tests.support.laws.by_game import options_for
from tests.support.laws.tables import EVERY

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), EVERY)


@EVERYWHERE
def test_it_comes_to_what_the_referee_comes_to(name: str, seats: int) -> None:
    rules, seed, options = game(name), seed_of("bare", name, seats), options_for(name, seats, 1)
    opened = opening(rules, "match", [f"Player {seat}" for seat in range(seats)], seed, options=options)
    referee = Referee(rules, opened, seed, [RandomPlayer(seed_of(seat)) for seat in range(seats)], Scribe(MemoryLog()))
    result = referee.play()
    match, draws = BareMatch(rules, seats, seed, options), [RandomPlayer(seed_of(seat)) for seat in range(seats)]
    while match.menus:
        match.choose(
            {seat: draws[seat]._draw.below(len(menu)) for seat, menu in match.menus.items() if len(menu) > 1}
            | {seat: 0 for seat, menu in match.menus.items() if len(menu) == 1}
        )
    assert match.history == referee.history
    assert match.state == referee.state
    assert match.result == result


@EVERYWHERE
def test_a_forced_move_asks_nobody_unless_the_others_may_not_know_that_it_is_forced(name: str, seats: int) -> None:
    rules, draw = game(name), Random(f"{name} {seats}")
    match = BareMatch(rules, seats, seed_of("forced", name, seats), options_for(name, seats, 2))
    while match.menus:
        if rules.veiled(match.state):
            assert tuple(match.menus) == rules.turn(match.state)
        else:
            assert all(len(menu) > 1 for menu in match.menus.values())
        match.choose({seat: draw.randrange(min(len(menu), 4)) for seat, menu in match.menus.items()})


def test_a_menu_that_is_longer_than_the_game_says_is_an_error() -> None:
    short = dataclasses.replace(game("pig"), longest_menu=1)
    with pytest.raises(MenuTooLong, match="seat 0 has 2 choices and Pig says 1"):
        BareMatch(short, 2, seed_of(1))
