"""No view, menu or picture key shows a secret to a viewer who may not know it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from ftk_core.facts import PUBLIC, Fact, redact, secret_fields_of
from tests.support.laws.exchanges import list_strings
from tests.support.laws.tables import GAMES_AND_SIZES, RandomMatch, play_random_matches

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), GAMES_AND_SIZES)


def plain(value: Any) -> Any:
    return msgspec.to_builtins(value)


def hidden_in(fact: Fact, viewer: int) -> set[str]:
    """Return the names in a fact that are hidden from a viewer."""
    shown = redact(fact, viewer)
    blanked = [name for name in secret_fields_of(type(fact)) if getattr(shown, name) is None]
    return {name for field in blanked for name in list_strings(plain(getattr(fact, field)))}


def unknown(match: RandomMatch, viewer: int) -> Iterator[tuple[int, set[str]]]:
    """Yield the number of each state with the names that have been hidden from a viewer so far.

    Names in the view of the bare table, such as the kinds of characters in play, are no secret.
    """
    hidden, openly = set[str](), list_strings(plain(match.game.view(match.states[0], viewer)))
    for number, fact in enumerate(match.facts, 1):
        hidden |= hidden_in(fact, viewer)
        openly |= list_strings(plain(redact(fact, viewer)))
        yield number, hidden - openly


@pytest.mark.slow
@EVERYWHERE
def test_no_view_of_a_match_contains_values_that_its_viewer_must_not_know(name: str, seats: int) -> None:
    for match in play_random_matches(name, seats):
        for viewer in (PUBLIC, *range(seats)):
            for number, names in unknown(match, viewer):
                if names:
                    assert not list_strings(plain(match.game.view(match.states[number], viewer))) & names


@pytest.mark.slow
@EVERYWHERE
def test_a_picture_and_its_piece_keys_contain_no_secret_of_another_seat(name: str, seats: int) -> None:
    for match in play_random_matches(name, seats):
        for viewer in (PUBLIC, *range(seats)):
            for number, names in list(unknown(match, viewer))[:: max(1, len(match.facts) // 40)]:
                picture = plain(match.game.scene(match.game.view(match.states[number], viewer)))
                assert not list_strings(picture) & names


@EVERYWHERE
def test_a_secret_value_in_a_game_event_is_visible_only_to_the_player_who_holds_the_secret(
    name: str, seats: int
) -> None:
    for match in play_random_matches(name, seats):
        for fact in match.facts:
            for field, holder in secret_fields_of(type(fact)).items():
                knows = {v for v in (PUBLIC, *range(seats)) if getattr(redact(fact, v), field) is not None}
                assert knows <= ({getattr(fact, holder)} if holder else set())
