"""Plans that describe how to encode a type as numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from msgspec import inspect

from ftk_core.field_bounds import EACH, HALF, HIDDEN

Plan = list[Any]
"""Feature plan: nested lists in the format that `ftk_core.rl.view_encoding` documents."""


class UnboundedFieldError(TypeError):
    """Raised for a type that lacks bounds for its values."""


@cache
def plan_of(kind: Any, path: str = "view") -> Plan:
    """Return the plan that encodes values of a type as numbers.

    Raises UnboundedFieldError if a number or a length has no bounds; `path` names the type in the message.

    >>> from typing import Annotated
    >>> from ftk_core.field_bounds import one_of, row
    >>> plan_of(tuple[bool, int | None])
    Traceback (most recent call last):
    ...
    ftk_core.rl.view_encoding_columns.UnboundedFieldError: view.1 is an int without bounds: use `number` ...
    >>> plan_of(Annotated[tuple[Annotated[str, one_of("red", "blue")], ...], row(2)])
    ['row', 2, ['word', ['red', 'blue']]]
    """
    return _build_plan(inspect.type_info(kind), {}, {}, path)


def _build_plan(info: inspect.Type, schema: dict[str, Any], extra: dict[str, Any], path: str) -> Plan:
    match info:
        case inspect.Metadata(type=inner):
            more, own = info.extra_json_schema or {}, info.extra or {}
            return ["hidden"] if HIDDEN in own else _build_plan(inner, {**schema, **more}, {**extra, **own}, path)
        case inspect.UnionType(types=types):
            return _plan_of_union(types, schema, extra, path)
        case inspect.BoolType() | inspect.LiteralType() | inspect.StrType() | inspect.IntType():
            return _plan_of_scalar(info, schema, extra, path)
        case inspect.VarTupleType(item_type=item):
            return _plan_of_sequence(_build_plan(item, {}, {}, f"{path}[]"), schema, extra, path)
        case inspect.TupleType(item_types=items):
            return ["all", [_build_plan(item, {}, {}, f"{path}.{number}") for number, item in enumerate(items)]]
        case inspect.StructType(fields=fields):
            return ["record", [[one.name, _build_plan(one.type, {}, {}, f"{path}.{one.name}")] for one in fields]]
    raise UnboundedFieldError(f"{path} is of a type that no plan is made from: {info}")


def _plan_of_union(types: tuple[inspect.Type, ...], schema: dict[str, Any], extra: dict[str, Any], path: str) -> Plan:
    some = [one for one in types if not isinstance(one, inspect.NoneType)]
    if len(some) == 1:
        inner = _build_plan(some[0], schema, extra, path)
    else:
        tags = [_tag(one, path) for one in some]
        kinds = [[tag, _build_plan(one, {}, {}, f"{path}({tag})")] for (_, tag), one in zip(tags, some, strict=True)]
        inner = ["kinds", kinds, *{field for field, _ in tags if field != "kind"}]
    return ["maybe", inner] if len(some) < len(types) else inner


def _tag(info: inspect.Type, path: str) -> tuple[str, str]:
    """Return the name of the field with a struct's tag, which msgspec wants to be the same in a union, and the tag."""
    if isinstance(info, inspect.StructType) and isinstance(info.tag, str):
        return str(info.tag_field), info.tag
    raise UnboundedFieldError(f"{path} is one of several types of which not all are structs with a tag: {info}")


def _plan_of_scalar(info: inspect.Type, schema: dict[str, Any], extra: dict[str, Any], path: str) -> Plan:
    if isinstance(info, inspect.BoolType):
        return ["flag"]
    if isinstance(info, inspect.LiteralType):
        return ["word", list(info.values)]
    if "enum" in schema:
        return ["word", list(schema["enum"])]
    if isinstance(info, inspect.StrType):
        raise UnboundedFieldError(f"{path} is a str without bounds: use `one_of` (ftk_core/field_bounds.py)")
    if HALF in extra:
        return ["endless", extra[HALF]]
    if not {"minimum", "maximum"} <= schema.keys():
        raise UnboundedFieldError(f"{path} is an int without bounds: use `number` (ftk_core/field_bounds.py)")
    return ["number", schema["minimum"], schema["maximum"]]


def _plan_of_sequence(inner: Plan, schema: dict[str, Any], extra: dict[str, Any], path: str) -> Plan:
    if EACH in extra:
        if inner[0] != "word":
            raise UnboundedFieldError(
                f"{path} is a bag of unbounded items: mark its items with `one_of`, or it with `row`"
            )
        return ["bag", extra[EACH], inner[1]]
    if "maxItems" not in schema:
        raise UnboundedFieldError(
            f"{path} is a tuple without bounds: mark its type with `row` or `bag` (ftk_core/field_bounds.py)"
        )
    return ["row", schema["maxItems"], inner]


Parts = tuple[list[str], list[tuple[Plan, str]]]
"""Columns of a feature plan, as a pair (names, nested plans).

The names are those of the plan's own columns. Each nested plan is a pair (plan, prefix of its column names).
"""


def list_column_names(plan: Plan, path: str = "") -> Iterator[str]:
    """Yield the names of the columns that an encoding plan describes.

    >>> list(list_column_names(["record", [["lot", ["maybe", ["word", ["red", "blue"]]]]]]))
    ['lot is known', 'lot = red', 'lot = blue']
    """
    own, inners = PLAN_PARTS[plan[0]](path, *plan[1:])
    yield from own
    for inner, at in inners:
        yield from list_column_names(inner, at)


def _fields(path: str, fields: Plan) -> Parts:
    return [], [(inner, f"{path}.{name}".lstrip(".")) for name, inner in fields]


def _kinds(path: str, kinds: Plan, _tag_field: str = "kind") -> Parts:
    return [f"{path} is {kind}" for kind, _ in kinds], [(inner, f"{path}({kind})") for kind, inner in kinds]


PLAN_PARTS: dict[str, Callable[..., Parts]] = {
    "flag": lambda path: ([path], []),
    "hidden": lambda _path: ([], []),
    "number": lambda path, low, high: ([f"{path}, {low} to {high}"], []),
    "endless": lambda path, half: ([f"{path} / ({path} + {half})"], []),
    "word": lambda path, words: ([f"{path} = {word}" for word in words], []),
    "bag": lambda path, each, words: ([f"{path}: {word}, of {each}" for word in words], []),
    "maybe": lambda path, inner: ([f"{path} is known"], [(inner, path)]),
    "row": lambda path, most, inner: ([], [(["there", inner], f"{path}[{number}]") for number in range(most)]),
    "there": lambda path, inner: ([f"{path} is there"], [(inner, path)]),
    "all": lambda path, inners: ([], [(inner, f"{path}.{number}") for number, inner in enumerate(inners)]),
    "record": _fields,
    "kinds": _kinds,
}
