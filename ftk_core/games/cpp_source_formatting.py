"""Functions that format Python values as C++ source code."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable


def row(values: Iterable[object]) -> str:
    """Return the values as a C++ initializer list, such as ``{1, 2}``."""
    return "{" + ", ".join(map(str, values)) + "}"


def quoted(values: Iterable[str]) -> str:
    """Return the texts as a C++ initializer list of string literals."""
    return row(f'"{value}"' for value in values)


def wrap_lines(text: str) -> str:
    """Return the text with lines of at most 120 characters. Continuation lines are indented."""
    return "".join(f"{textwrap.fill(line, 120, subsequent_indent='    ')}\n" for line in text.splitlines())


def enumeration(name: str, values: Iterable[str]) -> str:
    """Return C++ source for an enum class with these values, and for an array of the values as strings.

    The name of the array is that of the enum class in capitals, with the suffix ``_NAMES``. The enumerator of an empty
    string is called ``none``.
    """
    values = tuple(values)
    enumerators = row(value or "none" for value in values)
    return f"""enum class {name} : std::uint8_t {enumerators};
constexpr std::string_view {name.upper()}_NAMES[] = {quoted(values)};
"""
