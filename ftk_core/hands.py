"""What a person at the table is told: what is on the menu as sentences, which pieces it is about, and a first guide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ftk_core.facts import Action, kind_of

Phrase = Callable[[Any, Sequence[str], str], str]
"""(action, the seats' names, language) -> one sentence in the imperative: what a person does who chooses it."""
Touches = Callable[[Any, int], tuple[str, ...]]
"""(action, seat) -> the keys of the pieces and zones of the seat's scene that it is about, to be clicked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByHand:
    """How a game is played by hand; all of it comes from actions alone, so that it cannot tell a secret."""

    phrase: Phrase
    touches: Touches
    guide: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Language tag -> kind of action -> the rule of it in a sentence or two, for a first match."""
    adviser: str = ""
    """The bot of the house that gives a hint to who asks for one; empty where none does."""


def kind_of_action(action: Action) -> str:
    """Return the kind of an action, e.g. ``set_aside``."""
    return kind_of(type(action).__name__)


def phrase_plainly(action: Action, _names: Sequence[str], _language: str) -> str:
    """Return an action of a game without sentences for it: its kind, and what is said in its fields."""
    said = ", ".join(
        f"{name.replace('_', ' ')} {_plain(value)}" for name, value in _fields(action) if value is not None
    )
    kind = kind_of_action(action).replace("_", " ").capitalize()
    return f"{kind}: {said}" if said else kind


def touch_plainly(action: Action, _seat: int) -> tuple[str, ...]:
    """Return whatever an action names by a word, as pieces are mostly named by what they are."""
    return tuple(dict.fromkeys(_texts(msgspec.to_builtins([value for _, value in _fields(action)]))))


def dice_touched(zone: str, faces: Sequence[int]) -> tuple[str, ...]:
    """Return the keys of dice by what they show, where equal ones are numbered from 1.

    >>> dice_touched("active", (5, 5, 6))
    ('active-5-1', 'active-5-2', 'active-6-1')
    """
    return tuple(f"{zone}-{face}-{tuple(faces[: at + 1]).count(face)}" for at, face in enumerate(faces))


def _fields(action: Action) -> Iterator[tuple[str, Any]]:
    for name in action.__struct_fields__:
        yield name, getattr(action, name)


def _plain(value: Any) -> str:
    value = msgspec.to_builtins(value)
    return ", ".join(map(_plain, value)) if isinstance(value, list | tuple) else str(value)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, dict):
        yield from _texts(list(value.values()))


BARE_HANDS = ByHand(phrase=phrase_plainly, touches=touch_plainly)
