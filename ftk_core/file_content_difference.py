"""Text that describes the first difference between two contents of a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec


def describe_first_difference(actual: bytes, expected: bytes) -> str:
    """Describe where a file first differs from its expected content."""
    try:
        path = _compare(msgspec.json.decode(actual), msgspec.json.decode(expected))
    except (msgspec.DecodeError, UnicodeDecodeError):
        path = None
    if path is not None:
        return path
    actual_lines, expected_lines = actual.splitlines(keepends=True), expected.splitlines(keepends=True)
    pairs = enumerate(zip(actual_lines, expected_lines, strict=False))
    line_index = next((n for n, (one, other) in pairs if one != other), min(len(actual_lines), len(expected_lines)))
    actual_line, expected_line = (
        lines[line_index] if line_index < len(lines) else b"nothing" for lines in (actual_lines, expected_lines)
    )
    return f"line {line_index + 1} says {actual_line!r} where {expected_line!r} follows"


def _compare(actual: Any, expected: Any, path: str = "") -> str | None:
    """Describe the first difference between two JSON values; return None if they are equal."""
    if actual == expected and type(actual) is type(expected):
        return None
    for name, actual_child, expected_child in _children(actual, expected):
        if (inner := _compare(actual_child, expected_child, f"{path}.{name}" if path else str(name))) is not None:
            return inner
    return f"{path or 'the file'} says {actual!r} where {expected!r} follows"


def _children(actual: Any, expected: Any) -> Iterable[tuple[str | int, Any, Any]]:
    if isinstance(actual, dict) and isinstance(expected, dict) and actual.keys() == expected.keys():
        return [(name, actual[name], expected[name]) for name in expected]
    if isinstance(actual, list) and isinstance(expected, list) and len(actual) == len(expected):
        return [(number, *pair) for number, pair in enumerate(zip(actual, expected, strict=True))]
    return []
