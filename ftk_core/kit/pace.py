"""Progress of a series and an estimate of its remaining time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Self, TypeVar

from rich.console import Console

from ftk_core.kit.tongue import spoken

T = TypeVar("T")
TOLD = 10
"""Number of progress lines for a series of known length if stderr is not a terminal."""


def in_words(seconds: float) -> str:
    """Format a duration in seconds as text, rounded up.

    >>> in_words(7.2), in_words(95), in_words(4000)
    ('8 s', '1 min 35 s', '1 h 6 min')
    """
    whole = int(-(-seconds // 1))
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"


def costs(played: int, left: int, seconds: float) -> str:
    """Estimate the remaining time of a series from the time that the played matches took together.

    >>> costs(10, 30, 5)
    '30 matches left, about 15 s'
    """
    return f"{left} matches left, about {in_words(seconds / played * left)}"


class Pace:
    """Progress display of a series on a console; use it in a ``with`` block, which leaves the last line alone."""

    def __init__(self, console: Console) -> None:
        """Start the clock."""
        self._console, self._status = console, console.status("")
        self._began, self._played, self._told = time.monotonic(), 0, 0

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        self._status.stop()

    def before(self, line: str) -> None:
        """Print a line before the first match."""
        self._console.print(line, markup=False)
        self._status.update(spoken(line))

    def count(self, matches: Iterable[T]) -> Iterator[T]:
        """Yield the matches and count them; pass only matches that are played now."""
        for match in matches:
            self._played += 1
            yield match

    def costs(self, left: int) -> str:
        """Estimate the time for the remaining matches."""
        spent = time.monotonic() - self._began
        return costs(self._played, left, spent) if self._played else f"{left} matches left"

    def tell(self, line: str, *, aloud: bool) -> None:
        """Show the progress: on a terminal in place of the line before, elsewhere only if `aloud`."""
        if self._console.is_terminal:
            self._status.update(spoken(line))
        elif aloud:
            self._console.print(line, markup=False)
