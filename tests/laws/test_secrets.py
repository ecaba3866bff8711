"""Nobody sees more than they were told: not in a view, not in a menu, not in the keys of a picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from ftk_core.facts import PUBLIC, Fact, secrets_of, tell
from tests.support.laws.exchanges import names_in
from tests.support.laws.tables import EVERY, Story, told

EVERYWHERE = pytest.mark.parametrize(("name", "seats"), EVERY)


def plain(value: Any) -> Any:
    return msgspec.to_builtins(value)


def hidden_in(fact: Fact, viewer: int) -> set[str]:
    """Return the names in a fact that a viewer is not told."""
    shown = tell(fact, viewer)
    blanked = [name for name in secrets_of(type(fact)) if getattr(shown, name) is None]
    return {name for field in blanked for name in names_in(plain(getattr(fact, field)))}


def unknown(match: Story, viewer: int) -> Iterator[tuple[int, set[str]]]:
    """Yield the number of each state with the names that a viewer was not told, so far, in any way.

    What already stands in the view of the bare table, such as the kinds of characters in play, is no secret.
    """
    hidden, openly = set[str](), names_in(plain(match.game.view(match.states[0], viewer)))
    for number, fact in enumerate(match.facts, 1):
        hidden |= hidden_in(fact, viewer)
        openly |= names_in(plain(tell(fact, viewer)))
        yield number, hidden - openly


@pytest.mark.slow
@EVERYWHERE
def test_a_view_names_nothing_that_was_not_told(name: str, seats: int) -> None:
    for match in told(name, seats):
        for viewer in (PUBLIC, *range(seats)):
            for number, names in unknown(match, viewer):
                if names:
                    assert not names_in(plain(match.game.view(match.states[number], viewer))) & names


@pytest.mark.slow
@EVERYWHERE
def test_a_picture_and_its_keys_name_nothing_that_was_not_told(name: str, seats: int) -> None:
    for match in told(name, seats):
        for viewer in (PUBLIC, *range(seats)):
            for number, names in list(unknown(match, viewer))[:: max(1, len(match.facts) // 40)]:
                picture = plain(match.game.scene(match.game.view(match.states[number], viewer)))
                assert not names_in(picture) & names


@EVERYWHERE
def test_a_secret_is_told_to_its_holder_and_to_nobody_else(name: str, seats: int) -> None:
    for match in told(name, seats):
        for fact in match.facts:
            for field, holder in secrets_of(type(fact)).items():
                knows = {v for v in (PUBLIC, *range(seats)) if getattr(tell(fact, v), field) is not None}
                assert knows <= ({getattr(fact, holder)} if holder else set())
