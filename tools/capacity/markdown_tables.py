"""Formatting of numbers and tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

BEGIN, END = "<!-- generated -->", "<!-- /generated -->"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 0) -> str:
    """Return a Markdown table between comments that mark it as generated.

    The first column and the last `words` columns contain text. The other columns contain numbers, aligned right.
    """
    figures = len(head) - 1 - words
    lines = [head, ["---", *["---:"] * figures, *["---"] * words], *rows]
    return "\n".join([BEGIN, "", *(f"| {' | '.join(line)} |" for line in lines), "", END])


def size(count: float) -> str:
    """Format a number of bytes with a decimal unit, such as kB."""
    units = ("B", "kB", "MB", "GB", "TB", "PB")
    step = 0
    while count >= 1000 and step < len(units) - 1:
        count, step = count / 1000, step + 1
    return f"{count:.3g} {units[step]}" if count < 100 else f"{count:.0f} {units[step]}"


def number(count: float) -> str:
    """Format a number with up to three significant digits."""
    if count < 10:
        return f"{count:.2g}"
    digits = 10 ** max(0, len(str(int(count))) - 3)
    return f"{round(count / digits) * digits:,}"


def ms(seconds: float) -> str:
    """Format a duration in seconds: below one second as milliseconds, otherwise as seconds."""
    if not seconds:
        return "0"
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{number(seconds) if seconds >= 100 else f'{seconds:.3g}'} s"


def rows_of(rows: Iterable[tuple[str, Sequence[str]]]) -> list[list[str]]:
    """Convert each pair (name, figures) to a table row: the name, then the figures."""
    return [[name, *figures] for name, figures in rows]
