"""Decrees that the King cards allow (F1-F6)."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from ftk_core.games.for_the_king.box import OFFICES, KingType
from ftk_core.games.for_the_king.facts import Decree

HIGHEST, LOWEST = 6, 1


@lru_cache(4096)
def decrees(king: KingType, duties: tuple[int, ...]) -> tuple[Decree, ...]:
    """Return every decree, in the order of the offices, raising before lowering; empty if none is possible.

    A tile at its bound is not a target (F1). A decree does as much as is possible (F3).
    """
    ups: list[str] = [OFFICES[office] for office, value in enumerate(duties) if value < HIGHEST]
    downs: list[str] = [OFFICES[office] for office, value in enumerate(duties) if value > LOWEST]
    match king:
        case "P":
            return tuple(Decree(up=(office,)) for office in ups)
        case "M":
            return tuple(Decree(down=(office,)) for office in downs)
        case "PM":
            raised = [Decree(up=(office,)) for office in ups]
            return (*raised, *(Decree(down=(office,)) for office in downs))
        case "PP":
            return tuple(Decree(up=pair) for pair in _pairs(ups))
        case "MM":
            return tuple(Decree(down=pair) for pair in _pairs(downs))
        case "MIX":
            return _mixed(ups, downs)


def _pairs(offices: list[str]) -> list[tuple[str, ...]]:
    """Return all pairs, or the single office if there is only one."""
    return list(combinations(offices, 2)) or [(office,) for office in offices]


def _mixed(ups: list[str], downs: list[str]) -> tuple[Decree, ...]:
    """Return all pairs of one raise and another office's lowering; an impossible part is left out (F4)."""
    if not ups:
        return tuple(Decree(down=(office,)) for office in downs)
    found = []
    for up in ups:
        others = [office for office in downs if office != up]
        found += [Decree((up,), (down,)) for down in others] or [Decree(up=(up,))]
    return tuple(found)
