"""Injected failures, and a simulation of two machines that share only the database."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any


def simulate_two_machines(settings: Any, folder: Path) -> Callable[[], None]:
    """Return a function that switches this process to the other of two machines with their own folders of bots."""
    folders_of_bots = cycle([folder / "one", folder / "two"])

    def move_on() -> None:
        settings.BOTS_FOLDER = next(folders_of_bots)

    move_on()
    return move_on


def always_raise(error: Exception) -> Callable[..., Any]:
    """Return a function that takes any arguments and raises an error."""

    def fail(*_args: object, **_more: object) -> Any:
        raise error

    return fail
