"""Play by the rules alone comes to what the referee comes to, and with free luck it comes to an end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from ftk_core.bare import play_bare
from ftk_core.facts import Action
from ftk_core.games import game
from ftk_core.log import MemoryLog
from ftk_core.players import RandomPlayer
from ftk_core.referee import Referee, opening
from ftk_core.rng import Chance, FreeChance, seed_of
from ftk_core.scribe import Scribe
from tests.support.laws.by_game import options_for
from tests.support.laws.tables import EVERY

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), EVERY)


@EVERYWHERE
def test_it_is_the_referees_match_without_its_log(name: str, seats: int) -> None:
    rules, seed, options = game(name), seed_of("bare", name, seats), options_for(name, seats, 1)
    opened = opening(rules, "match", [f"Player {seat}" for seat in range(seats)], seed, options=options)
    referee = Referee(rules, opened, seed, [RandomPlayer(seed_of(seat)) for seat in range(seats)], Scribe(MemoryLog()))
    referee.play()
    draws = [Chance(seed_of(seat)).at("random player") for seat in range(seats)]

    def choose(_state: Any, seat: int, menu: Sequence[Action]) -> int:
        return draws[seat].below(len(menu))

    assert play_bare(rules, seats, Chance(seed), choose, options)[0] == referee.state
    slow = replace(rules, follow=None)
    draws = [Chance(seed_of(seat)).at("random player") for seat in range(seats)]
    assert play_bare(slow, seats, Chance(seed), choose, options)[0] == referee.state


@EVERYWHERE
def test_free_luck_brings_a_match_to_its_end(name: str, seats: int) -> None:
    rules, below = game(name), Random(f"{name} {seats}").randrange

    def choose(_state: Any, _seat: int, menu: Sequence[Action]) -> int:
        return below(len(menu))

    state, asked = play_bare(rules, seats, FreeChance(below), choose)
    assert asked
    assert rules.turn(state) == ()
    assert min(rules.result(state).places) == 1


def test_a_table_that_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="played by 2 to 6, not by 9"):
        play_bare(game("pig"), 9, Chance(seed_of(1)), lambda _state, _seat, _menu: 0)
