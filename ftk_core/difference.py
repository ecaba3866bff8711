"""Messages about the first difference between a file or line and its expected content."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec


def first_difference(found: bytes, expected: bytes) -> str:
    """Describe where a file differs from its expected content: by JSON path if both are JSON, else by line."""
    try:
        path = _path(msgspec.json.decode(found), msgspec.json.decode(expected))
    except (msgspec.DecodeError, UnicodeDecodeError):
        path = None
    if path is not None:
        return path
    ours, theirs = found.splitlines(keepends=True), expected.splitlines(keepends=True)
    pairs = enumerate(zip(ours, theirs, strict=False))
    at = next((n for n, (one, other) in pairs if one != other), min(len(ours), len(theirs)))
    said, follows = (lines[at] if at < len(lines) else b"nothing" for lines in (ours, theirs))
    return f"line {at + 1} says {said!r} where {follows!r} follows"


def _path(found: Any, expected: Any, path: str = "") -> str | None:
    """Describe the first difference between two JSON values; return None if they are equal."""
    if found == expected and type(found) is type(expected):
        return None
    for name, one, other in _children(found, expected):
        if (inner := _path(one, other, f"{path}.{name}" if path else str(name))) is not None:
            return inner
    return f"{path or 'the file'} says {found!r} where {expected!r} follows"


def _children(found: Any, expected: Any) -> Iterable[tuple[str | int, Any, Any]]:
    if isinstance(found, dict) and isinstance(expected, dict) and found.keys() == expected.keys():
        return [(name, found[name], expected[name]) for name in expected]
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        return [(number, *pair) for number, pair in enumerate(zip(found, expected, strict=True))]
    return []
