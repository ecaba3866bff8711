"""Encoding of the visible part of a game state as rows of numbers.

A plan describes the columns of a row. It consists of lists, so that it can be stored as JSON:

    ["flag"]                    1 column: 0 or 1
    ["number", low, high]       1 column: 0 at the minimum, 1 at the maximum
    ["endless", half]           1 column: n / (n + half), which is below 1
    ["word", [words]]           a column for each word: 1 for the current word
    ["bag", each, [words]]      a column for each word: its count divided by `each`
    ["maybe", plan]             1 column: 1 if present; then the columns of the plan
    ["row", most, plan]         `most` times: 1 column, 1 if present; then the columns of the plan
    ["all", [plans]]            the columns of each
    ["record", [[name, plan]]]  the columns of each field
    ["kinds", [[kind, plan]]]   a column for each kind: 1 for the current kind; then the columns of every kind
    ["hidden"]                  no column: the value is never visible

The kind of a record is its field `kind`, or the field that a third item of `kinds` names.
Absent values have 0 in all their columns. Every column lies between 0 and 1.
"""
# Trained bots contain a copy of this file, so it needs no other library.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

WriteColumns = Callable[[Any, Any, int], None]
"""(value, row of zeros, first column) -> None; writes the value's non-zero columns.

It raises FieldValueOutOfBoundsError.
"""
GetField = Callable[[Any, str], Any]
"""(record, name) -> the value of the field: `getattr`, or `dict.__getitem__` for decoded JSON."""
ReadKind = Callable[[str], Callable[[Any], str]]
"""(name of the tag's field) -> function that returns the tag of a record: `operator.itemgetter` for decoded JSON."""


class FieldValueOutOfBoundsError(ValueError):
    """Raised for a value outside the bounds of its type."""


def size_of(plan: list[Any]) -> int:
    """Return the number of columns that an encoding plan describes.

    In the example, each of 3 items has 3 columns: one that says if the item is present, and one for each word.

    >>> size_of(["row", 3, ["word", ["red", "blue"]]])
    9
    """
    match plan:
        case ["hidden"]:
            return 0
        case ["word", words] | ["bag", _, words]:
            return len(words)
        case ["maybe", inner]:
            return 1 + size_of(inner)
        case ["row", most, inner]:
            return int(most) * (1 + size_of(inner))
        case ["all", inners]:
            return sum(map(size_of, inners))
        case ["record", fields]:
            return sum(size_of(inner) for _, inner in fields)
        case ["kinds", kinds, *_]:
            return len(kinds) + sum(size_of(inner) for _, inner in kinds)
    return 1


def writer(plan: list[Any], field: GetField, kind: ReadKind, path: str = "view") -> WriteColumns:
    """Build a function that writes values into rows as an encoding plan describes.

    Its arguments are described at `WriteColumns`. `field` reads a field of a record, `kind` the tag of a record
    in a union. `path` names the value in error messages.

    >>> from operator import itemgetter
    >>> write = writer(["record", [["die", ["number", 1, 6]], ["won", ["flag"]]]], dict.__getitem__, itemgetter)
    >>> columns = [0.0, 0.0]
    >>> write({"die": 6, "won": False}, columns, 0)
    >>> columns
    [1.0, 0.0]
    """
    builders: dict[str, Callable[[], WriteColumns]] = {
        "flag": lambda: _flag,
        "hidden": lambda: _hidden(path),
        "number": lambda: _number(path, plan[1], plan[2]),
        "endless": lambda: _endless(path, plan[1]),
        "word": lambda: _word(path, plan[1]),
        "bag": lambda: _bag(path, plan[1], plan[2]),
        "maybe": lambda: _maybe(writer(plan[1], field, kind, path)),
        "row": lambda: _row(path, plan[1], _maybe(writer(plan[2], field, kind, f"{path}[]")), 1 + size_of(plan[2])),
        "all": lambda: _all([(writer(one, field, kind, path), size_of(one)) for one in plan[1]]),
        "record": lambda: _record(
            field, [(name, writer(one, field, kind, f"{path}.{name}"), size_of(one)) for name, one in plan[1]]
        ),
        "kinds": lambda: _kinds(
            kind(plan[2] if plan[2:] else "kind"),
            [(name, writer(one, field, kind, f"{path}({name})"), size_of(one)) for name, one in plan[1]],
        ),
    }
    return builders[plan[0]]()


def _bounds_error(path: str, value: Any, bound: str) -> FieldValueOutOfBoundsError:
    return FieldValueOutOfBoundsError(
        f"{path} is {value!r}, and its type says {bound}: the bound in the game's types is wrong"
    )


def _flag(value: Any, out: Any, at: int) -> None:
    if value:
        out[at] = 1.0


def _hidden(path: str) -> WriteColumns:
    def write(value: Any, _out: Any, _at: int) -> None:
        if value is not None:
            raise _bounds_error(path, value, "that no seat sees it")

    return write


def _number(path: str, low: int, high: int) -> WriteColumns:
    width = max(1, high - low)

    def write(value: Any, out: Any, at: int) -> None:
        if not low <= value <= high:
            raise _bounds_error(path, value, f"{low} to {high}")
        if value != low:
            out[at] = (value - low) / width

    return write


def _endless(path: str, half: int) -> WriteColumns:
    def write(value: Any, out: Any, at: int) -> None:
        if value < 0:
            raise _bounds_error(path, value, "0 or more")
        out[at] = value / (value + half)

    return write


def _word(path: str, known_words: list[Any]) -> WriteColumns:
    columns = {word: column for column, word in enumerate(known_words)}

    def write(value: Any, out: Any, at: int) -> None:
        column = columns.get(value)
        if column is None:
            raise _bounds_error(path, value, f"one of {known_words}")
        out[at + column] = 1.0

    return write


def _bag(path: str, each: int, known_words: list[Any]) -> WriteColumns:
    columns, part = {word: column for column, word in enumerate(known_words)}, 1 / each

    def write(value: Any, out: Any, at: int) -> None:
        for one in value:
            column = columns.get(one)
            if column is None:
                raise _bounds_error(path, one, f"one of {known_words}")
            out[at + column] = min(1.0, out[at + column] + part)  # a sum of rounded parts can be a little above 1
        if len(value) > each and len(set(value)) < len(value) and any(value.count(one) > each for one in value):
            raise _bounds_error(path, value, f"{each} of each at the most")

    return write


def _maybe(inner: WriteColumns) -> WriteColumns:
    def write(value: Any, out: Any, at: int) -> None:
        if value is not None:
            out[at] = 1.0
            inner(value, out, at + 1)

    return write


def _row(path: str, most: int, inner: WriteColumns, size: int) -> WriteColumns:
    def write(value: Any, out: Any, at: int) -> None:
        if len(value) > most:
            raise _bounds_error(path, value, f"{most} at the most")
        for one in value:
            inner(one, out, at)
            at += size

    return write


def _all(inners: list[tuple[WriteColumns, int]]) -> WriteColumns:
    def write(value: Any, out: Any, at: int) -> None:
        for one, (inner, size) in zip(value, inners, strict=True):
            inner(one, out, at)
            at += size

    return write


def _record(field: GetField, inners: list[tuple[str, WriteColumns, int]]) -> WriteColumns:
    def write(value: Any, out: Any, at: int) -> None:
        for name, inner, size in inners:
            inner(field(value, name), out, at)
            at += size

    return write


def _kinds(kind: Callable[[Any], str], inners: list[tuple[str, WriteColumns, int]]) -> WriteColumns:
    columns = {name: column for column, (name, _, _) in enumerate(inners)}
    starts = [len(inners) + sum(size for _, _, size in inners[:column]) for column in range(len(inners))]

    def write(value: Any, out: Any, at: int) -> None:
        column = columns[kind(value)]
        out[at + column] = 1.0
        inners[column][1](value, out, at + starts[column])

    return write
