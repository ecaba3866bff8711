"""Registry of league formats: every module in this package that defines `FORMAT` is a format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from operator import attrgetter
from pkgutil import iter_modules

from ftk_core.league.round_plans import StageTerms
from ftk_core.league.stage_progress import NextStep, StageProgress


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueFormat:
    """Format of a stage (Swiss, knockout and so on)."""

    next_round: Callable[[StageProgress], NextStep]
    """Next step of a stage: a new round, the end of the stage, or why no round can be played."""
    planned: Callable[[StageProgress], int] = attrgetter("rounds")
    """Expected total number of rounds of a stage, as far as it is known now; by default the announced number."""
    min_entries: Callable[[StageTerms], int] = attrgetter("least")
    """Minimum number of entries of a stage; by default one table of the minimum size."""
    levels: Callable[[StageProgress], Mapping[int, int]] | None = None
    """Entry -> level, if a higher level, such as the round that it reached, ranks before points."""
    groups_title: str = ""
    """Name of what `StageTerms.groups` counts, such as "Groups"; empty if a stage has no groups."""
    groups_text: str = ""
    """Description of their number, such as "the first %(count)s"; empty for the number alone."""
    keeps_entry_order: bool = False
    """True if the first entries have a role of their own: the order of entering is then not replaced by a lot."""
    counted: bool = False
    """True if the number of rounds must be given."""
    takes_late: bool = False
    """True if entries can join after the start."""
    foreseen: bool = False
    """True if pairings do not depend on results, so that a round may be paired during the one before."""
    fixed: str = ""
    """Reason why an organiser cannot change a drafted round by hand; empty if it can be changed."""


@cache
def list_formats() -> Mapping[str, LeagueFormat]:
    """Return every league format by name, such as "swiss"."""
    names = sorted(module.name for module in iter_modules(__path__))
    modules = {name: import_module(f"{__name__}.{name}") for name in names}
    return {name: module.FORMAT for name, module in modules.items() if hasattr(module, "FORMAT")}
