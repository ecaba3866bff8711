"""Check that the JSON lines of a league's log are canonical."""
# All parsers then read the same.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec


def flaws_of_line(line: bytes, fact: msgspec.Struct) -> Iterator[str]:
    """Yield a sentence for each way in which an event's JSON line is not canonical."""
    # A canonical line stays the same if it is decoded and encoded again, and its keys are fields of the event. Fields
    # with their default value may be present, as in older lines.
    written = msgspec.json.decode(line)
    if msgspec.json.encode(written) != line.rstrip(b"\n"):
        yield "its bytes are not canonical JSON: a key is repeated, or a value is written in another way"
    for path in _unknown_keys(written, fact):
        yield f"it has the unknown field {path}"


def _unknown_keys(written: Any, value: Any, path: str = "") -> Iterator[str]:
    """Yield the path of each key in a JSON value that is no field of the decoded struct."""
    if isinstance(value, msgspec.Struct) and isinstance(written, dict):
        names = _attributes_by_key(type(value))
        tag = value.__struct_config__.tag_field
        for key, inner in written.items():
            if key in names:
                yield from _unknown_keys(inner, getattr(value, names[key]), f"{path}{key}.")
            elif key != tag:
                yield f"{path}{key}"
    elif isinstance(value, tuple | list) and isinstance(written, list):
        for place, (inner, one) in enumerate(zip(written, value, strict=False)):
            yield from _unknown_keys(inner, one, f"{path}{place}.")


@cache
def _attributes_by_key(kind: type[msgspec.Struct]) -> Mapping[str, str]:
    """Return the names of a struct's attributes by their JSON keys."""
    return {field.encode_name: field.name for field in msgspec.structs.fields(kind)}
