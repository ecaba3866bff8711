"""Keyset pagination: a cursor identifies the last row of a page."""
# New rows therefore do not shift later pages.

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext

M = TypeVar("M", bound=Model)


class InvalidCursorError(LookupError):
    """Raised for a cursor that does not belong to the requested list."""


@dataclass(frozen=True, slots=True)
class SortColumn:
    """A column by which a list is sorted."""

    # All sort columns of a list together must identify a row.

    field: str
    """Django lookup of the field, e.g. ``bot__slug``."""
    read: Callable[[Any], Any]
    """Parser for the column's value in a cursor; raises ValueError or TypeError."""
    descending: bool = False

    @property
    def order(self) -> str:
        """The argument for Django's ``order_by`` that sorts by this column."""
        return f"-{self.field}" if self.descending else self.field

    @property
    def reversed(self) -> SortColumn:
        """The same column in the opposite order."""
        return replace(self, descending=not self.descending)

    @property
    def lookup_after(self) -> str:
        """Django lookup for the rows after a given value of the column in sort order, e.g. ``bot__slug__gt``."""
        return f"{self.field}__{'lt' if self.descending else 'gt'}"


@dataclass(frozen=True, slots=True)
class ListPage(Generic[M]):
    """A page of a list and the cursor of the next page."""

    rows: list[M]
    after: str
    """The cursor of the next page; empty on the last page."""


def read_text(value: Any) -> str:
    """Return a text value from a cursor. Raises ValueError for text that PostgreSQL cannot store."""
    if not isinstance(value, str) or "\0" in value:
        raise ValueError(f"not a text: {value!r}")
    value.encode()  # raises ValueError for a lone surrogate
    return value


def read_number(value: Any) -> int:
    """Return a number from a cursor. Raises ValueError if it does not fit an integer column."""
    if type(value) is not int or abs(value) >= 2**31:
        raise ValueError(f"not a number: {value!r}")
    return value


def read_time(value: Any) -> datetime:
    """Parse a time from a cursor; raises ValueError if it has no time zone."""
    time = datetime.fromisoformat(read_text(value))
    if time.tzinfo is None:
        raise ValueError(f"a time without a zone: {value!r}")
    return time.astimezone(UTC)


def offset_of_cursor(rows: Sequence[Any], cursor: str) -> int:
    """Return the number of rows before a page, parsed from its cursor. Raises InvalidCursorError."""
    # The rows of a ranking change places at any moment, so none of them can serve as the cursor.
    if not cursor:
        return 0
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 10 and 0 < int(cursor) < len(rows)):
        raise InvalidCursorError(gettext("%(cursor)r is no place in this list") % {"cursor": cursor[:60]})
    return int(cursor)


def read_page(rows: QuerySet[M], columns: Sequence[SortColumn], cursor: str, size: int) -> ListPage[M]:
    """Return up to `size` rows after the cursor. Raises InvalidCursorError."""
    ordered = rows.order_by(*(column.order for column in columns))
    if cursor:
        ordered = ordered.filter(_rows_after(columns, _decode_cursor(columns, cursor)))
    fetched = list(ordered[: size + 1])
    has_more = len(fetched) > size
    return ListPage(fetched[:size], encode_cursor(columns, fetched[size - 1]) if has_more else "")


def _rows_after(columns: Sequence[SortColumn], values: Sequence[Any]) -> Q:
    after, equal = Q(), Q()
    for column, value in zip(columns, values, strict=True):
        after |= equal & Q(**{column.lookup_after: value})
        equal &= Q(**{column.field: value})
    return after


def _decode_cursor(columns: Sequence[SortColumn], cursor: str) -> list[Any]:
    try:
        values = json.loads(urlsafe_b64decode(cursor.encode("ascii")))
        return [column.read(value) for column, value in zip(columns, values, strict=True)]
    except (ValueError, TypeError, RecursionError, OverflowError) as error:
        raise InvalidCursorError(gettext("%(cursor)r is no place in this list") % {"cursor": cursor[:60]}) from error


def encode_cursor(columns: Sequence[SortColumn], row: Model) -> str:
    """Return the cursor of the page that begins after a row."""
    values = [_field_value(row, column.field) for column in columns]
    return urlsafe_b64encode(json.dumps(values, default=datetime.isoformat).encode()).decode()


def _field_value(row: Any, field: str) -> Any:
    for name in field.split("__"):
        row = getattr(row, name)
    return row
