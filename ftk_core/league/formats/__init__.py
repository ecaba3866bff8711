"""Registry of league formats: every module here that defines `next_round` is a format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from ftk_core.league.plans import Stage
from ftk_core.league.progress import Progress, Step


class Format(Protocol):
    """Interface of a format module."""

    grouped: bool
    """True if a stage can have several groups, or challengers."""
    counted: bool
    """True if the number of rounds must be given."""
    takes_late: bool
    """True if entries can join after the start."""
    foreseen: bool
    """True if pairings do not depend on results, so that a round may be paired during the one before."""
    fixed: str
    """Reason why its rounds cannot be changed by hand; empty if they can."""

    def next_round(self, progress: Progress) -> Step:
        """Return the next step: a round, the end of the stage, or the reason why nothing can be played."""
        ...

    def planned(self, progress: Progress) -> int:
        """Return the expected number of rounds, as far as it is known now."""
        ...


@cache
def formats() -> Mapping[str, Format]:
    """Return every format by name."""
    names = sorted(module.name for module in iter_modules(__path__))
    modules = {name: import_module(f"{__name__}.{name}") for name in names}
    return {name: cast("Format", module) for name, module in modules.items() if hasattr(module, "next_round")}


def fewest(terms: Stage) -> int:
    """Return the minimum number of entries of a stage: one shortest table, unless its format needs more."""
    own: Callable[[Stage], int] | None = getattr(formats()[terms.format], "fewest", None)
    return own(terms) if own else terms.least
