"""Failures that a test injects, and two machines that share nothing but the database."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any


def two_machines(settings: Any, folder: Path) -> Callable[[], None]:
    """Return what makes this process the other of two machines; each has its own folder of bots."""
    folders_of_bots = cycle([folder / "one", folder / "two"])

    def move_on() -> None:
        settings.BOTS_FOLDER = next(folders_of_bots)

    move_on()
    return move_on


def raising(error: Exception) -> Callable[..., Any]:
    """Return a function that raises an error, whatever it is given."""

    def fail(*_args: object, **_more: object) -> Any:
        raise error

    return fail
