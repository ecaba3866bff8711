"""What a learner is given: as much as a seat knows, in a fixed shape, and nothing that the seat may not know."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import numpy as np
import pytest

from ftk_core.facts import secrets_of
from ftk_core.games import game, shelf
from ftk_core.rl.in_turn import TableInTurn
from ftk_core.rl.senses import Senses
from tests.support.laws.by_game import options_for, other_world
from tests.support.laws.rigged import Impossible
from tests.support.laws.tables import EVERY, told
from tests.support.laws.worlds import compare, played

WORLDS, TWINS = 4, 8


def sensed(table: TableInTurn, state: Any, seat: int) -> dict[str, Any]:
    """Return what a seat is given in a state, and the rows of its menu."""
    match, agent = table.table.match, f"seat_{seat}"
    match.state = state
    match.menus = {due: match.game.legal(state, due) for due in match.game.turn(state)}
    return {**table.observe(agent), "rows": table.rows(agent)}


@pytest.mark.slow
@pytest.mark.parametrize("name", shelf())
def test_worlds_that_differ_in_what_a_seat_may_not_know_look_the_same_to_a_learner(name: str) -> None:
    rules, differed = game(name), 0
    for number in range(WORLDS):
        seats, draw = rules.seats[number % len(rules.seats)], Random(f"{name} {number}")
        seat = draw.randrange(seats)
        table = TableInTurn(name, seats)
        table.reset(seed=1)
        world, diary = played(rules, seats, options_for(name, seats, number), number, seat)
        for _ in range(TWINS):
            try:
                twin, common = compare(world, diary, other_world(name)(world, seat, draw))
            except Impossible:
                continue
            for here, there in list(zip(twin.states, world.states, strict=False))[: common + 1]:
                if here != there:
                    differed += 1
                    np.testing.assert_equal(sensed(table, here, seat), sensed(table, there, seat))
    assert differed or not any(secrets_of(kind) for kind in get_args(rules.facts))


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_every_view_and_menu_lies_within_the_bounds_that_its_types_say(name: str, seats: int) -> None:
    senses = Senses(game(name))
    for match in told(name, seats):
        for moment in match.moments[:: max(1, len(match.moments) // 40)]:
            for seat in range(seats):
                row = senses.observation(match.game.view(moment.state, seat), seat, seats)
                assert row.shape == (senses.width,)
                assert 0 <= row.min() <= row.max() <= 1
            rows = senses.rows(moment.menu)
            assert 0 <= rows.min() <= rows.max() <= 1
        for seat in range(seats):
            senses.observation(match.game.view(match.states[-1], seat), seat, seats)


@pytest.mark.parametrize("name", shelf())
def test_every_column_of_an_observation_has_a_name_of_its_own(name: str) -> None:
    senses = Senses(game(name))
    assert len(set(senses.names)) == len(senses.names) == senses.width
