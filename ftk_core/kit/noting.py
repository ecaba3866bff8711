"""Numbers in a bot's notes (``depth=4 value=0.31``), which are plotted for its authors."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

KEPT = re.compile(r"question (\d+): (.*)", re.DOTALL)
"""Format of a stored note (`ftk_core.kit.trial.kept_notes`)."""
NUMBER = re.compile(r"(?:^|(?<=\s))([A-Za-z_][\w.-]{0,30})=([-+]?\d{1,30}(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?)(?=\s|$)")
MOST_KEYS = 12
"""Maximum number of different keys of one bot that are plotted."""


def numbers_in(note: str) -> dict[str, float]:
    """Return the numbers of a note by key; the last value of a key counts, and other text is ignored.

    >>> numbers_in("bold: depth=4 value=-3.5e-1 depth=5 x=y 7=7")
    {'depth': 5.0, 'value': -0.35}
    """
    found = {key: float(text) for key, text in NUMBER.findall(note)}
    return {key: value for key, value in found.items() if math.isfinite(value)}


def series_of(notes: Iterable[str]) -> dict[str, list[tuple[int, float]]]:
    """Return (question, number) pairs by key, in the order of the questions, from a bot's stored notes.

    >>> series_of(["question 1: value=2", "question 4: value=3 sure", "no note"])
    {'value': [(1, 2.0), (4, 3.0)]}
    """
    found: dict[str, list[tuple[int, float]]] = {}
    for kept in map(KEPT.fullmatch, notes):
        for key, value in numbers_in(kept[2]).items() if kept else ():
            if key in found or len(found) < MOST_KEYS:
                found.setdefault(key, []).append((int(kept[1]) if kept else 0, value))
    return found
