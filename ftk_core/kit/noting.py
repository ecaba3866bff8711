"""Numbers that a bot writes into its notes: ``depth=4 value=0.31``, drawn for its authors."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

KEPT = re.compile(r"question (\d+): (.*)", re.DOTALL)
"""How a note is kept (`ftk_core.kit.trial.kept_notes`)."""
NUMBER = re.compile(r"(?:^|(?<=\s))([A-Za-z_][\w.-]{0,30})=([-+]?\d{1,30}(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?)(?=\s|$)")
MOST_KEYS = 12
"""So many different numbers of one bot are drawn."""


def numbers_in(note: str) -> dict[str, float]:
    """Return the numbers of a note by their keys, the last one of each; what else stands there is passed over.

    >>> numbers_in("bold: depth=4 value=-3.5e-1 depth=5 x=y 7=7")
    {'depth': 5.0, 'value': -0.35}
    """
    found = {key: float(text) for key, text in NUMBER.findall(note)}
    return {key: value for key, value in found.items() if math.isfinite(value)}


def series_of(notes: Iterable[str]) -> dict[str, list[tuple[int, float]]]:
    """Return (question, number) by key, in the order of the questions, of a bot's kept notes.

    >>> series_of(["question 1: value=2", "question 4: value=3 sure", "no note"])
    {'value': [(1, 2.0), (4, 3.0)]}
    """
    found: dict[str, list[tuple[int, float]]] = {}
    for kept in map(KEPT.fullmatch, notes):
        for key, value in numbers_in(kept[2]).items() if kept else ():
            if key in found or len(found) < MOST_KEYS:
                found.setdefault(key, []).append((int(kept[1]) if kept else 0, value))
    return found
