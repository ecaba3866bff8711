"""Rules of King cards: the decrees that each card allows. A decree changes the points that offices give."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from ftk_core.games.for_the_king.cards import OFFICES, KingType
from ftk_core.games.for_the_king.facts import DecreeAction

MAX_DUTY, MIN_DUTY = 6, 1


@lru_cache(4096)
def list_decrees(king: KingType, duties: tuple[int, ...]) -> tuple[DecreeAction, ...]:
    """Return every decree that a King card allows, in the order of the offices.

    A decree raises or lowers Primary Duties, the points for first place in an office. Each duty stays between
    `MIN_DUTY` and `MAX_DUTY` (F1 in RULES.md). Some cards change two duties. If only one duty can change, their decrees
    change that one (F3). If no duty can change, the result is empty. For a card that may raise or lower, the decrees
    that raise come first.
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
    """Return all decrees that raise the points of one office and lower those of another (F4 in RULES.md).

    If no office can be raised, every decree only lowers an office. If the raised office is the only one that could be
    lowered, or none could, the decree only raises it.
    """
    if not ups:
        return tuple(DecreeAction(down=(office,)) for office in downs)
    mixed_decrees = []
    for up in ups:
        others = [office for office in downs if office != up]
        mixed_decrees += [DecreeAction((up,), (down,)) for down in others] or [DecreeAction(up=(up,))]
    return tuple(mixed_decrees)
