"""Facts of a game: frozen values in the past tense, complete, with exactly one encoding.

A secret field is marked ``Annotated[int | None, SeenBy("seat")]``. The mark names the field with the number of the only
seat that may know it. `tell` sets secret fields to ``None`` for all other viewers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

Viewer = int
"""Viewer of a match: a seat number (0 and up), `PUBLIC` or `OMNISCIENT`."""
PUBLIC: Viewer = -1
OMNISCIENT: Viewer = -2

NOBODY = ""
"""Argument of `SeenBy` for a value that no seat may know before the end."""


class SeenBy(msgspec.Struct, frozen=True):
    """Marker for a secret field of a fact: only the seat stored in the field `holder` may read it."""

    holder: str
    """Name of the field with the number of that seat, or `NOBODY`."""


def kind_of(class_name: str) -> str:
    """Return the tag of a class: ``card_placed`` for ``CardPlaced``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", class_name).lower()


class Fact(msgspec.Struct, frozen=True, tag=kind_of, tag_field="kind"):
    """Base class of all facts of a game."""


class Action(msgspec.Struct, frozen=True, tag=kind_of, tag_field="kind"):
    """Base class of all actions that a seat can choose, named in the imperative."""


F = TypeVar("F", bound=Fact)

_encoder = msgspec.json.Encoder(order="deterministic")


def encode(value: Any) -> bytes:
    """Return the canonical JSON of a value: UTF-8, fields in declaration order, no spaces."""
    return _encoder.encode(value)


@cache
def secrets_of(kind: type[Fact]) -> Mapping[str, str]:
    """Return the secret fields of a fact type, each with the field that names the seat that may see it."""
    marks: dict[str, str] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is Annotated:
            for mark in get_args(hint)[1:]:
                if isinstance(mark, SeenBy):
                    marks[name] = mark.holder
    return marks


def tell(fact: F, viewer: Viewer) -> F:
    """Return the fact as the viewer may know it; secret fields of others are None."""
    secrets = secrets_of(type(fact))
    if not secrets or viewer == OMNISCIENT:
        return fact
    blanks = {
        name: None
        for name, holder in secrets.items()
        if holder == NOBODY or viewer == PUBLIC or getattr(fact, holder) != viewer
    }
    return msgspec.structs.replace(fact, **blanks) if blanks else fact
