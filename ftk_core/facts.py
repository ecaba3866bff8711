"""What happened, as frozen values: past tense, complete, and encoded one way only.

A secret field carries a mark, ``Annotated[int | None, SeenBy("seat")]``, naming the field
that holds the one seat which may know it; `tell` blanks it to ``None`` for everybody else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

Viewer = int
"""Who looks: a seat number (0 and up), `PUBLIC` or `OMNISCIENT`."""
PUBLIC: Viewer = -1
OMNISCIENT: Viewer = -2

NOBODY = ""
"""The argument of `SeenBy` for what no seat may know before the end."""


class SeenBy(msgspec.Struct, frozen=True):
    """A mark on a fact's field: only the seat that stands in field `holder` may read it."""

    holder: str
    """The name of the field with that seat's number, or `NOBODY`."""


def kind_of(class_name: str) -> str:
    """Return the tag of a class: ``CardPlaced`` is ``card_placed``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", class_name).lower()


class Fact(msgspec.Struct, frozen=True, tag=kind_of, tag_field="kind"):
    """The base of everything that can have happened in a game."""


class Action(msgspec.Struct, frozen=True, tag=kind_of, tag_field="kind"):
    """The base of everything a seat can choose: an imperative."""


F = TypeVar("F", bound=Fact)

_encoder = msgspec.json.Encoder(order="deterministic")


def encode(value: Any) -> bytes:
    """Return the canonical JSON of a value: UTF-8, fields in their declared order, no spaces."""
    return _encoder.encode(value)


@cache
def secrets_of(kind: type[Fact]) -> Mapping[str, str]:
    """Return the secret fields of a kind of fact, each with the field that names who may see it."""
    marks: dict[str, str] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is Annotated:
            for mark in get_args(hint)[1:]:
                if isinstance(mark, SeenBy):
                    marks[name] = mark.holder
    return marks


def tell(fact: F, viewer: Viewer) -> F:
    """Return the fact as the viewer may know it, secret fields of others blanked to None."""
    secrets = secrets_of(type(fact))
    if not secrets or viewer == OMNISCIENT:
        return fact
    blanks = {
        name: None
        for name, holder in secrets.items()
        if holder == NOBODY or viewer == PUBLIC or getattr(fact, holder) != viewer
    }
    return msgspec.structs.replace(fact, **blanks) if blanks else fact
