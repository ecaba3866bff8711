"""Base classes and JSON encoding of a game's facts. A fact is an event; its class is named in the past tense.

A fact can have secret fields. The annotation ``Annotated[int | None, SecretField("seat")]`` marks a secret that only
one seat may know: the seat whose number is in the fact's field ``seat``. ``SecretField(NOBODY)`` marks a secret that no
seat may know. `redact` prepares a fact for a viewer: it sets the secret fields that the viewer may not know to
``None``.
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
    """Marker for a secret field of a fact (an event of a match). Only one seat may read it, or none (`NOBODY`)."""

    holder: str
    """Name of the field with the number of the seat that may read the secret; `NOBODY` if no seat may."""


def kind_of(class_name: str) -> str:
    """Convert the class name of a fact or action to its tag, the JSON field ``kind``, e.g. ``card_placed``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", class_name).lower()


def tag_of(kind: type[msgspec.Struct] | msgspec.Struct) -> str:
    """Return the tag of a fact, an action or one of their types: the JSON field ``kind``, e.g. ``card_placed``."""
    return str(kind.__struct_config__.tag)


class Fact(msgspec.Struct, frozen=True, tag=kind_of, tag_field="kind"):
    """Base class of all facts (events) of a game."""


class Action(msgspec.Struct, frozen=True, tag=kind_of, tag_field="kind"):
    """Base class of all actions that a seat can choose, named in the imperative."""


F = TypeVar("F", bound=Fact)

_encoder = msgspec.json.Encoder(order="deterministic")


def encode(value: Any) -> bytes:
    """Return the canonical JSON of a value: UTF-8, no spaces, fields in declared order, dictionary keys sorted."""
    return _encoder.encode(value)


@cache
def secret_fields_of(kind: type[Fact]) -> Mapping[str, str]:
    """Return the secret fields of a fact type, as a dict from the field's name to the name of another field.

    That other field holds the number of the only seat that may read the secret. Its name is empty (`NOBODY`) if no seat
    may read it.
    """
    marks: dict[str, str] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is Annotated:
            for mark in get_args(hint)[1:]:
                if isinstance(mark, SecretField):
                    marks[name] = mark.holder
    return marks


def redact(fact: F, viewer: Viewer) -> F:
    """Return a copy of a fact in which each secret field that the viewer may not read is None."""
    secrets = secret_fields_of(type(fact))
    if not secrets or viewer == OMNISCIENT:
        return fact
    blanks = {
        name: None
        for name, holder in secrets.items()
        if holder == NOBODY or viewer == PUBLIC or getattr(fact, holder) != viewer
    }
    return msgspec.structs.replace(fact, **blanks) if blanks else fact
