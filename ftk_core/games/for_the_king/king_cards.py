"""Rules of King cards, which change the points that offices give."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from ftk_core.games.for_the_king.cards import OFFICES, KingType
from ftk_core.games.for_the_king.facts import DecreeAction

MAX_DUTY, MIN_DUTY = 6, 1


@lru_cache(4096)
def list_decrees(king: KingType, duties: tuple[int, ...]) -> tuple[DecreeAction, ...]:
    """Return every change of the offices' points that a King card allows (rules F1 and F3 in RULES.md).

    The result is empty if no office can change.
    """
    ups: list[str] = [OFFICES[office] for office, value in enumerate(duties) if value < MAX_DUTY]
    downs: list[str] = [OFFICES[office] for office, value in enumerate(duties) if value > MIN_DUTY]
    match king:
        case "P":
            return tuple(DecreeAction(up=(office,)) for office in ups)
        case "M":
            return tuple(DecreeAction(down=(office,)) for office in downs)
        case "PM":
            raised = [DecreeAction(up=(office,)) for office in ups]
            return (*raised, *(DecreeAction(down=(office,)) for office in downs))
        case "PP":
            return tuple(DecreeAction(up=pair) for pair in _pairs(ups))
        case "MM":
            return tuple(DecreeAction(down=pair) for pair in _pairs(downs))
        case "MIX":
            return _mixed_decrees(ups, downs)


def _pairs(offices: list[str]) -> list[tuple[str, ...]]:
    """Return all pairs of these offices, or the single office if there is only one."""
    return list(combinations(offices, 2)) or [(office,) for office in offices]


def _mixed_decrees(ups: list[str], downs: list[str]) -> tuple[DecreeAction, ...]:
    """Return the decrees that raise one office and lower another (rule F4 in RULES.md)."""
    # If only one of the two is possible, the decree does only that.
    if not ups:
        return tuple(DecreeAction(down=(office,)) for office in downs)
    mixed_decrees = []
    for up in ups:
        others = [office for office in downs if office != up]
        mixed_decrees += [DecreeAction((up,), (down,)) for down in others] or [DecreeAction(up=(up,))]
    return tuple(mixed_decrees)
