"""Encoding of a view as numbers by a feature plan. It only needs the standard library: bots ship this file.

A plan consists of lists, so that it can be stored as JSON (`ftk_core.rl.plans` derives it from a type):

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

Absent values have 0 in all their columns. Every column lies between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Write = Callable[[Any, Any, int], None]
"""(value, row of zeros, first column) -> None; writes the non-zero columns, raises BeyondBounds."""
Field = Callable[[Any, str], Any]
"""(record, name) -> the value of the field: `getattr`, or `dict.__getitem__` for decoded JSON."""


class BeyondBounds(ValueError):
    """Raised for a value beyond the bounds of its type. The message names field, value and bound."""


def size_of(plan: list[Any]) -> int:
    """Return the number of columns of a plan.

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
        case ["kinds", kinds]:
            return len(kinds) + sum(size_of(inner) for _, inner in kinds)
    return 1


def writer(plan: list[Any], field: Field, kind: Callable[[Any], str], path: str = "view") -> Write:
    """Build the function that writes values by a plan; `kind` returns the tag of a record of a union type.

    >>> write = writer(["record", [["die", ["number", 1, 6]], ["won", ["flag"]]]], dict.__getitem__, str)
    >>> columns = [0.0, 0.0]
    >>> write({"die": 6, "won": False}, columns, 0)
    >>> columns
    [1.0, 0.0]
    """
    made: dict[str, Callable[[], Write]] = {
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
            kind, [(name, writer(one, field, kind, f"{path}({name})"), size_of(one)) for name, one in plan[1]]
        ),
    }
    return made[plan[0]]()


def _beyond(path: str, value: Any, bound: str) -> BeyondBounds:
    return BeyondBounds(f"{path} is {value!r}, and its type says {bound}: the bound in the game's types is wrong")


def _flag(value: Any, out: Any, at: int) -> None:
    if value:
        out[at] = 1.0


def _hidden(path: str) -> Write:
    def write(value: Any, _out: Any, _at: int) -> None:
        if value is not None:
            raise _beyond(path, value, "that no seat sees it")

    return write


def _number(path: str, low: int, high: int) -> Write:
    width = max(1, high - low)

    def write(value: Any, out: Any, at: int) -> None:
        if not low <= value <= high:
            raise _beyond(path, value, f"{low} to {high}")
        if value != low:
            out[at] = (value - low) / width

    return write


def _endless(path: str, half: int) -> Write:
    def write(value: Any, out: Any, at: int) -> None:
        if value < 0:
            raise _beyond(path, value, "0 or more")
        out[at] = value / (value + half)

    return write


def _word(path: str, words: list[Any]) -> Write:
    columns = {word: column for column, word in enumerate(words)}

    def write(value: Any, out: Any, at: int) -> None:
        column = columns.get(value)
        if column is None:
            raise _beyond(path, value, f"one of {words}")
        out[at + column] = 1.0

    return write


def _bag(path: str, each: int, words: list[Any]) -> Write:
    columns, part = {word: column for column, word in enumerate(words)}, 1 / each

    def write(value: Any, out: Any, at: int) -> None:
        for one in value:
            column = columns.get(one)
            if column is None:
                raise _beyond(path, one, f"one of {words}")
            out[at + column] += part
        if len(value) > each and len(set(value)) < len(value) and any(value.count(one) > each for one in value):
            raise _beyond(path, value, f"{each} of each at the most")

    return write


def _maybe(inner: Write) -> Write:
    def write(value: Any, out: Any, at: int) -> None:
        if value is not None:
            out[at] = 1.0
            inner(value, out, at + 1)

    return write


def _row(path: str, most: int, inner: Write, size: int) -> Write:
    def write(value: Any, out: Any, at: int) -> None:
        if len(value) > most:
            raise _beyond(path, value, f"{most} at the most")
        for one in value:
            inner(one, out, at)
            at += size

    return write


def _all(inners: list[tuple[Write, int]]) -> Write:
    def write(value: Any, out: Any, at: int) -> None:
        for one, (inner, size) in zip(value, inners, strict=True):
            inner(one, out, at)
            at += size

    return write


def _record(field: Field, inners: list[tuple[str, Write, int]]) -> Write:
    def write(value: Any, out: Any, at: int) -> None:
        for name, inner, size in inners:
            inner(field(value, name), out, at)
            at += size

    return write


def _kinds(kind: Callable[[Any], str], inners: list[tuple[str, Write, int]]) -> Write:
    columns = {name: column for column, (name, _, _) in enumerate(inners)}
    starts = [len(inners) + sum(size for _, _, size in inners[:column]) for column in range(len(inners))]

    def write(value: Any, out: Any, at: int) -> None:
        column = columns[kind(value)]
        out[at + column] = 1.0
        inners[column][1](value, out, at + starts[column])

    return write
