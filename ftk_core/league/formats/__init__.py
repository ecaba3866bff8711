"""Registry of league formats, such as Swiss or knockout.

Every module here that defines `FORMAT` is a format. Plug-ins add more by entry points of the group ``ftk.formats``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from gettext import gettext as _
from importlib import import_module
from operator import attrgetter
from pkgutil import iter_modules

from ftk_core.league.event_fields import StageSettings
from ftk_core.league.stage_progress import NextStep, StageProgress
from ftk_core.plugins import MissingPluginError, load_plugins


class UnknownFormatError(MissingPluginError):
    """Raised for the name of a league format that is not installed."""


def _max_separate_tables(_terms: StageSettings, entries: int) -> int:
    """Return an upper bound on the number of tables in a round, if each bot sits at one table at most."""
    return entries // 2 + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueFormat:
    """Format of a league stage, such as Swiss: the functions that draw its rounds, and its properties."""

    next_round: Callable[[StageProgress], NextStep]
    """(progress of a stage) -> its next step: a new round, the end of the stage, or why no round can be drawn."""
    planned: Callable[[StageProgress], int] = attrgetter("rounds")
    """(progress of a stage) -> its total number of rounds, as far as known now; by default the announced number."""
    min_entries: Callable[[StageSettings], int] = attrgetter("least")
    """(terms of a stage) -> minimum number of bots that the stage needs; by default the minimum size of a table."""
    max_tables: Callable[[StageSettings, int], int] = _max_separate_tables
    """(terms of a stage, number of its bots) -> upper bound for the tables of a round."""
    levels: Callable[[StageProgress], Mapping[int, int]] | None = None
    """(progress of a stage) -> level by bot; None if the format ranks by points and not first by such a level."""
    ranked_groups: Callable[[StageProgress], Sequence[Sequence[int]]] | None = None
    """(progress of a stage) -> groups of bots. Bots rank first by their position in their group, by its points
    and tie-breaks. From version 2 of the league rules on, the positions replace `levels`."""
    groups_title: str = ""
    """Name of what `StageSettings.groups` counts, such as "Groups"; empty if a stage has no groups."""
    groups_text: str = ""
    """Description of the number of groups, such as "the first %(count)s"; empty for the number alone."""
    keeps_entry_order: bool = False
    """True if the first bots have a special role, such as challenger: the order of entry must not become random."""
    counted: bool = False
    """True if the organiser must announce the number of rounds."""
    takes_late: bool = False
    """True if bots can enter after the first round has begun."""
    foreseen: bool = False
    """True if pairings do not depend on results, so that a round may be paired while the previous one is played."""
    eliminates: bool = False
    """True if bots that lose leave the stage: they do not miss its later rounds by their own wish."""
    fixed: str = ""
    """Reason why organisers cannot change drafted rounds of this format by hand; empty if they can."""


@cache
def list_formats() -> Mapping[str, LeagueFormat]:
    """Return all league formats by name, such as "swiss".

    Raises PluginError if a plug-in is invalid.
    """
    names = sorted(module.name for module in iter_modules(__path__))
    modules = {name: import_module(f"{__name__}.{name}") for name in names}
    built_in = {name: module.FORMAT for name, module in modules.items() if hasattr(module, "FORMAT")}
    return load_plugins("ftk.formats", LeagueFormat, built_in)


def find_format(name: str) -> LeagueFormat:
    """Return the league format with this name. Raise UnknownFormatError if it does not exist."""
    if name not in list_formats():
        raise UnknownFormatError(
            _("there is no format {name} here; install the plug-in that brings it").format(name=repr(name))
        )
    return list_formats()[name]
