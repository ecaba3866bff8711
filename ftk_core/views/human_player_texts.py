"""Texts that help people play: sentences for choices, pieces to click, and a guide for beginners."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from ftk_core.facts import Action, tag_of
from ftk_core.i18n import Texts, no_texts

DescribeAction = Callable[[Any, Sequence[str], str], str]
"""(action, names by seat, language) -> one sentence in the imperative that describes the action."""
ListTouchedKeys = Callable[[Any, int], tuple[str, ...]]
"""(action, seat) -> keys of the pieces and zones in the seat's scene that a player can click to choose the action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanPlayerTexts:
    """Texts of a game for human players."""

    # They are computed from actions alone, so they cannot reveal a secret.

    phrase: DescribeAction
    touches: ListTouchedKeys
    guide: Texts = no_texts
    """Language tag -> kind of action -> the action's rule in one or two sentences, for a first match."""
    options: Texts = no_texts
    """Language tag -> key of a form field for an option of the game -> label or help text of the field.

    A key is an option (``gifts``), one of its values (``cards-guard``), or an option with ``-help`` (``cards-help``).
    """
    adviser: str = ""
    """Name of the built-in bot that gives hints on request where the game has no native rules; empty if none does."""


def kind_of_action(action: Action) -> str:
    """Return the kind of an action, e.g. ``set_aside``."""
    return tag_of(type(action))


def describe_action(action: Action, _names: Sequence[str], _language: str) -> str:
    """Describe an action in English by its kind and fields, if a game defines no sentences."""
    field_texts = ", ".join(
        f"{name.replace('_', ' ')} {_value_text(value)}" for name, value in _fields(action) if value is not None
    )
    kind = kind_of_action(action).replace("_", " ").capitalize()
    return f"{kind}: {field_texts}" if field_texts else kind


def list_field_texts(action: Action, _seat: int) -> tuple[str, ...]:
    """Return all strings in an action's fields.

    By default, these are the keys of the pieces that a player can click to choose the action.
    """
    return tuple(dict.fromkeys(_strings_in(msgspec.to_builtins([value for _, value in _fields(action)]))))


def dice_keys(zone: str, faces: Sequence[int]) -> tuple[str, ...]:
    """Return a key for each die in a picture of the table. Equal dice are numbered from 1.

    >>> dice_keys("active", (5, 5, 6))
    ('active-5-1', 'active-5-2', 'active-6-1')
    """
    return tuple(f"{zone}-{face}-{tuple(faces[: at + 1]).count(face)}" for at, face in enumerate(faces))


def _fields(action: Action) -> Iterator[tuple[str, Any]]:
    for name in action.__struct_fields__:
        yield name, getattr(action, name)


def _value_text(value: Any) -> str:
    value = msgspec.to_builtins(value)
    return ", ".join(map(_value_text, value)) if isinstance(value, list | tuple) else str(value)


def _strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings_in(part)
    elif isinstance(value, dict):
        yield from _strings_in(list(value.values()))


DEFAULT_PLAY_TEXTS = HumanPlayerTexts(phrase=describe_action, touches=list_field_texts)
