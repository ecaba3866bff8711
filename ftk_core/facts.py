"""Base classes and JSON encoding of a game's events.

An event class is named in the past tense. Secret fields are annotated: ``Annotated[int | None, SecretField("seat")]``
marks a value that only one player may know. The event's field ``seat`` holds this player's number.
``SecretField(NOBODY)`` marks a value that no player may know.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

Viewer = int
"""Viewer of a match: a seat number (0 and up), `PUBLIC` (knows no secret) or `OMNISCIENT` (knows every secret)."""
PUBLIC: Viewer = -1
OMNISCIENT: Viewer = -2

NOBODY = ""
"""Argument of `SecretField` for a value that no seat may know before the match ends."""


class SecretField(msgspec.Struct, frozen=True):
    """Marker for an event's field that at most one player may read."""

    holder: str
    """Name of the field with the number of the seat that may read the secret; `NOBODY` if no seat may."""


def kind_of(class_name: str) -> str:
    """Convert a class name such as ``CardPlaced`` to its JSON tag, ``card_placed``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", class_name).lower()


def tag_of(kind: type[msgspec.Struct] | msgspec.Struct) -> str:
    """Return the JSON tag of an event, an action, or a class of events or actions."""
    return str(kind.__struct_config__.tag)


class Fact(msgspec.Struct, frozen=True, tag=kind_of, tag_field="kind"):
    """Base class of all events of a game."""


class Action(msgspec.Struct, frozen=True, tag=kind_of, tag_field="kind"):
    """Base class of all actions that a seat can choose, named in the imperative."""


@cache
def types_in_union(union: Any) -> tuple[Any, ...]:
    """Return the member types of a union of event types or action types.

    A single type counts as a union with one member.
    """
    kinds: Any = msgspec.inspect.type_info(union)
    return tuple(part.cls for part in getattr(kinds, "types", (kinds,)))


F = TypeVar("F", bound=Fact)

_encoder = msgspec.json.Encoder(order="deterministic")


def encode(value: Any) -> bytes:
    """Return the canonical JSON of a value: UTF-8, no spaces, fields in declared order, dictionary keys sorted."""
    return _encoder.encode(value)


@cache
def secret_fields_of(kind: type[Fact]) -> Mapping[str, str]:
    """Map each secret field of an event type to the field with the number of the player who may read the secret.

    The value is empty (`NOBODY`) if no player may read the secret.
    """
    marks: dict[str, str] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is Annotated:
            for mark in get_args(hint)[1:]:
                if isinstance(mark, SecretField):
                    marks[name] = mark.holder
    return marks


def redact(fact: F, viewer: Viewer) -> F:
    """Return a copy of an event in which each secret field that the viewer may not read is None."""
    secrets = secret_fields_of(type(fact))
    if not secrets or viewer == OMNISCIENT:
        return fact
    blanks = {
        name: None
        for name, holder in secrets.items()
        if holder == NOBODY or viewer == PUBLIC or getattr(fact, holder) != viewer
    }
    return msgspec.structs.replace(fact, **blanks) if blanks else fact
