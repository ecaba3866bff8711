"""Keyset pagination: a cursor names the last row of a page, so that new rows shift nothing."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet

M = TypeVar("M", bound=Model)


class BadCursor(LookupError):
    """Raised for a cursor that this list did not create."""


@dataclass(frozen=True, slots=True)
class Column:
    """A sort column of a list. Together the columns identify a row."""

    field: str
    """Django lookup of the field, e.g. ``bot__slug``."""
    read: Callable[[Any], Any]
    """Parser of the cursor's value; raises ValueError or TypeError."""
    falling: bool = False

    @property
    def order(self) -> str:
        """The argument for ``order_by``."""
        return f"-{self.field}" if self.falling else self.field

    @property
    def beyond(self) -> str:
        """The lookup of the values that come after a given one."""
        return f"{self.field}__{'lt' if self.falling else 'gt'}"


@dataclass(frozen=True, slots=True)
class Slice(Generic[M]):
    """A page of a list."""

    rows: list[M]
    after: str
    """The cursor of the next page; empty at the end."""


def read_text(value: Any) -> str:
    """Return the text in a cursor; raises ValueError for text that PostgreSQL cannot store."""
    if not isinstance(value, str) or "\0" in value:
        raise ValueError(f"not a text: {value!r}")
    value.encode()  # raises ValueError for a lone surrogate
    return value


def read_number(value: Any) -> int:
    """Return the number in a cursor; raises ValueError for a number outside 32 bits."""
    if type(value) is not int or abs(value) >= 2**31:
        raise ValueError(f"not a number: {value!r}")
    return value


def read_time(value: Any) -> datetime:
    """Return the time in a cursor; raises ValueError without a time zone."""
    time = datetime.fromisoformat(read_text(value))
    if time.tzinfo is None:
        raise ValueError(f"a time without a zone: {value!r}")
    return time.astimezone(UTC)


def place_in(rows: Sequence[Any], cursor: str) -> int:
    """Return the offset of a cursor that is a place in a ranking; 0 if it is empty; raises BadCursor.

    For rankings that change at any moment: place 50 is the row that has it now.
    """
    if not cursor:
        return 0
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 10 and 0 < int(cursor) < len(rows)):
        raise BadCursor(f"{cursor[:60]!r} is no place in this list")
    return int(cursor)


def slice_of(rows: QuerySet[M], columns: Sequence[Column], cursor: str, size: int) -> Slice[M]:
    """Return `size` rows after the cursor, or from the beginning if it is empty; raises BadCursor."""
    ordered = rows.order_by(*(column.order for column in columns))
    if cursor:
        ordered = ordered.filter(_behind(columns, _read(columns, cursor)))
    found = list(ordered[: size + 1])
    more = len(found) > size
    return Slice(found[:size], _write(columns, found[size - 1]) if more else "")


def _behind(columns: Sequence[Column], values: Sequence[Any]) -> Q:
    behind, same = Q(), Q()
    for column, value in zip(columns, values, strict=True):
        behind |= same & Q(**{column.beyond: value})
        same &= Q(**{column.field: value})
    return behind


def _read(columns: Sequence[Column], cursor: str) -> list[Any]:
    try:
        values = json.loads(urlsafe_b64decode(cursor.encode("ascii")))
        return [column.read(value) for column, value in zip(columns, values, strict=True)]
    except (ValueError, TypeError, RecursionError, OverflowError) as error:
        raise BadCursor(f"{cursor[:60]!r} is no place in this list") from error


def _write(columns: Sequence[Column], row: Model) -> str:
    values = [_value(row, column.field) for column in columns]
    return urlsafe_b64encode(json.dumps(values, default=datetime.isoformat).encode()).decode()


def _value(row: Any, field: str) -> Any:
    for name in field.split("__"):
        row = getattr(row, name)
    return row
