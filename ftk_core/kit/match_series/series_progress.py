"""Progress display of a series of matches, with an estimate of the remaining time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from gettext import gettext as _
from types import TracebackType
from typing import Self, TypeVar

from rich.console import Console

from ftk_core.kit.i18n.locale import translate_line

T = TypeVar("T")
PROGRESS_LINES = 10
"""Number of progress lines for a series of known length if stderr is not a terminal."""


def format_duration(seconds: float) -> str:
    """Format a duration in seconds as text, rounded up.

    >>> format_duration(7.2), format_duration(95), format_duration(4000)
    ('8 s', '1 min 35 s', '1 h 6 min')
    """
    full_seconds = int(-(-seconds // 1))
    if full_seconds < 60:
        return f"{full_seconds} s"
    return (
        _("{minutes} min {seconds} s").format(minutes=full_seconds // 60, seconds=full_seconds % 60)
        if full_seconds < 3600
        else _("{hours} h {minutes} min").format(hours=full_seconds // 3600, minutes=full_seconds % 3600 // 60)
    )


def describe_remaining(played: int, left: int, seconds: float) -> str:
    """Describe how many matches of a series are left, and how long they will take.

    `seconds` is the time that the `played` matches took together.

    >>> describe_remaining(10, 30, 5)
    '30 matches left, about 15 s'
    """
    return _("{count} matches left, about {duration}").format(
        count=left, duration=format_duration(seconds / played * left)
    )


class MatchSeriesProgressDisplay:
    """Progress display of a series of matches on a console; use it in a ``with`` block."""

    def __init__(self, console: Console) -> None:
        """Start to measure the time that matches take."""
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
        self._console.print(line)
        self._status.update(translate_line(line))

    def count(self, matches: Iterable[T]) -> Iterator[T]:
        """Yield the matches unchanged, and count them to estimate the remaining time."""
        # Matches from a stored record took no time: count new matches only.
        for match in matches:
            self._played += 1
            yield match

    def describe_remaining_time(self, left: int) -> str:
        """Describe the time that `left` more matches will take."""
        spent = time.monotonic() - self._began
        return (
            describe_remaining(self._played, left, spent)
            if self._played
            else _("{left} matches left").format(left=left)
        )

    def tell(self, line: str, *, print_off_terminal: bool) -> None:
        """Show a progress line, which replaces the previous one on a terminal."""
        if self._console.is_terminal:
            self._status.update(translate_line(line))
        elif print_off_terminal:
            self._console.print(line)
