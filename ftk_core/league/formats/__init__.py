"""The league formats: every module here that offers `next_round` is one; nothing else lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from ftk_core.league.plans import Stage
from ftk_core.league.progress import Progress, Step


class Format(Protocol):
    """What a module offers that is a format."""

    grouped: bool
    """Whether a stage of it can have several groups, or challengers."""
    counted: bool
    """Whether it must be told how many rounds there are."""
    takes_late: bool
    """Whether entries can come in once it has begun."""
    foreseen: bool
    """Whether no result changes who meets whom, so that a round may be paired while the one before it is played."""
    fixed: str
    """Why nobody may change its rounds by hand; empty where they may."""

    def next_round(self, progress: Progress) -> Step:
        """Return what comes next: a round, that the stage is over, or why nothing can be played."""
        ...

    def planned(self, progress: Progress) -> int:
        """Return how many rounds it will have, as far as that can be said now."""
        ...


@cache
def formats() -> Mapping[str, Format]:
    """Return every format by its name."""
    names = sorted(module.name for module in iter_modules(__path__))
    modules = {name: import_module(f"{__name__}.{name}") for name in names}
    return {name: cast("Format", module) for name, module in modules.items() if hasattr(module, "next_round")}


def fewest(terms: Stage) -> int:
    """Return the fewest entries with which a stage can be played: a shortest table, where its format needs no more."""
    own: Callable[[Stage], int] | None = getattr(formats()[terms.format], "fewest", None)
    return own(terms) if own else terms.least
