"""Texts for people who play: menu items as sentences, the pieces they concern, and a guide for beginners."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ftk_core.facts import Action, kind_of

Phrase = Callable[[Any, Sequence[str], str], str]
"""(action, names by seat, language) -> one sentence in the imperative that describes the action."""
Touches = Callable[[Any, int], tuple[str, ...]]
"""(action, seat) -> keys of the pieces and zones in the seat's scene that a click can choose it with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByHand:
    """Texts of a game for people who play. They depend on actions alone, so they cannot reveal a secret."""

    phrase: Phrase
    touches: Touches
    guide: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Language tag -> kind of action -> its rule in one or two sentences, for a first match."""
    adviser: str = ""
    """Built-in bot that gives hints on request; empty if there are no hints."""


def kind_of_action(action: Action) -> str:
    """Return the kind of an action, e.g. ``set_aside``."""
    return kind_of(type(action).__name__)


def phrase_plainly(action: Action, _names: Sequence[str], _language: str) -> str:
    """Describe an action of a game without sentences: its kind and the values of its fields."""
    said = ", ".join(
        f"{name.replace('_', ' ')} {_plain(value)}" for name, value in _fields(action) if value is not None
    )
    kind = kind_of_action(action).replace("_", " ").capitalize()
    return f"{kind}: {said}" if said else kind


def touch_plainly(action: Action, _seat: int) -> tuple[str, ...]:
    """Return every string in the fields of an action: pieces are mostly keyed by what they are."""
    return tuple(dict.fromkeys(_texts(msgspec.to_builtins([value for _, value in _fields(action)]))))


def dice_touched(zone: str, faces: Sequence[int]) -> tuple[str, ...]:
    """Return the keys of dice by the faces they show; equal dice are numbered from 1.

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
