"""A menu lists exactly the actions that the rules accept, even for malformed actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from msgspec import structs

from ftk_core.facts import Action, encode
from ftk_core.game import MENU_LIMIT, IllegalChoiceError
from ftk_core.random_streams import MatchRandomness, seed_of
from tests.support.laws.tables import GAMES_AND_SIZES, RandomMatch, SeatDecisionPoint, play_random_matches

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), GAMES_AND_SIZES)
CHANCE = MatchRandomness(seed_of("unused"))
MOMENTS = 40
"""Number of moments of a match at which everything is tried."""
OTHERS = 60
"""Number of items of other menus that are tried at each moment."""


def some(match: RandomMatch) -> list[SeatDecisionPoint]:
    return match.moments[:: max(1, len(match.moments) // MOMENTS)]


def bent(action: Action) -> Iterator[Action]:
    """Yield the action with one field changed, as a careless or malicious bot might send it."""
    for field in action.__struct_fields__:
        value = getattr(action, field)
        wrong: list[Any] = [None, "nonsense", -1, 0, 10**9, 1.5, True, ()]
        if isinstance(value, int):
            wrong += [value + 1000, -value, str(value)]
        if isinstance(value, str):
            wrong += [value.swapcase(), value + " ", ""]
        if isinstance(value, tuple):
            wrong += [value * 2, value[::-1], (*value, "nonsense"), list(value)]
        yield from (structs.replace(action, **{field: other}) for other in wrong)


@EVERYWHERE
def test_every_menu_of_legal_actions_stays_within_its_maximum_length_and_has_no_duplicates(
    name: str, seats: int
) -> None:
    for match in play_random_matches(name, seats):
        for moment in match.moments:
            assert 1 <= len(moment.menu) <= match.game.longest_menu <= MENU_LIMIT
            assert len({encode(action) for action in moment.menu}) == len(moment.menu)


@pytest.mark.slow
@EVERYWHERE
def test_the_rules_of_each_game_accept_every_action_on_the_menu(name: str, seats: int) -> None:
    for match in play_random_matches(name, seats):
        for moment in some(match):
            assert all(match.game.decide(moment.state, moment.seat, action, CHANCE) for action in moment.menu)


@pytest.mark.slow
@EVERYWHERE
def test_the_rules_of_each_game_refuse_an_action_that_is_legal_only_in_another_state(name: str, seats: int) -> None:
    for match in play_random_matches(name, seats):
        vocabulary = {action for moment in match.moments for action in moment.menu}
        draw = Random(len(match.facts))
        for moment in some(match):
            others = sorted(vocabulary - set(moment.menu), key=encode)
            for action in draw.sample(others, min(OTHERS, len(others))):
                with pytest.raises(IllegalChoiceError):
                    match.game.decide(moment.state, moment.seat, action, CHANCE)


@pytest.mark.slow
@EVERYWHERE
def test_the_rules_of_each_game_refuse_an_altered_action(name: str, seats: int) -> None:
    for match in play_random_matches(name, seats):
        draw = Random(len(match.facts))
        for moment in some(match):
            for action in draw.sample(moment.menu, min(3, len(moment.menu))):
                for wrong in bent(action):
                    if wrong not in moment.menu:
                        with pytest.raises(IllegalChoiceError):
                            match.game.decide(moment.state, moment.seat, wrong, CHANCE)


@EVERYWHERE
def test_the_rules_of_each_game_refuse_actions_out_of_turn_and_after_the_end(name: str, seats: int) -> None:
    for match in play_random_matches(name, seats):
        for moment in [*some(match), replace(match.moments[-1], state=match.states[-1])]:
            for other in {-2, -1, seats, *range(seats)} - set(match.game.turn(moment.state)):
                with pytest.raises(IllegalChoiceError):
                    match.game.decide(moment.state, other, moment.menu[0], CHANCE)
