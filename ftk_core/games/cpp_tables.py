"""Texts of C++ tables. A game with native rules generates the tables of its box from the Python modules with these."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable


def row(values: Iterable[object]) -> str:
    """Return the values as a list in braces."""
    return "{" + ", ".join(map(str, values)) + "}"


def quoted(values: Iterable[str]) -> str:
    """Return the texts as a list of string literals in braces."""
    return row(f'"{value}"' for value in values)


def wrap_lines(text: str) -> str:
    """Break lines at 120 characters."""
    return "".join(f"{textwrap.fill(line, 120, subsequent_indent='    ')}\n" for line in text.splitlines())


def enumeration(name: str, values: Iterable[str]) -> str:
    """Return an enumeration with a table of its names. The enumerator of an empty name is ``none``."""
    values = tuple(values)
    enumerators = row(value or "none" for value in values)
    return f"""enum class {name} : std::uint8_t {enumerators};
constexpr std::string_view {name.upper()}_NAMES[] = {quoted(values)};
"""
