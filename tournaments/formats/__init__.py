"""The league formats: every module here that offers `pair` is one; nothing else lists them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ftk_core.league.facts import RoundPaired
from ftk_core.league.state import LeagueState

Format = Callable[[LeagueState], RoundPaired]
"""(league between two rounds) -> the next round's tables."""


@cache
def formats() -> dict[str, Format]:
    """Return every format's pairing function by its name."""
    names = sorted(module.name for module in iter_modules(__path__))
    modules = {name: import_module(f"{__name__}.{name}") for name in names}
    return {name: module.pair for name, module in modules.items() if hasattr(module, "pair")}
