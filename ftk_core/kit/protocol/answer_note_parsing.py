"""Parsing of the numbers in a bot's notes on its answers, such as ``depth=4 value=0.31``."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

STORED_NOTE = re.compile(r"question (\d+): (.*)", re.DOTALL)
"""Pattern of a stored note, with two groups: question number and text (see `trial_match.stored_notes`)."""
NUMBER = re.compile(r"(?:^|(?<=\s))([A-Za-z_][\w.-]{0,30})=([-+]?\d{1,30}(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?)(?=\s|$)")
MAX_KEYS = 12
"""Maximum number of different keys that are plotted for one bot."""


def numbers_in(note: str) -> dict[str, float]:
    """Return the numbers of a note by key, the last value of each.

    >>> numbers_in("bold: depth=4 value=-3.5e-1 depth=5 x=y 7=7")
    {'depth': 5.0, 'value': -0.35}
    """
    numbers = {key: float(text) for key, text in NUMBER.findall(note)}
    return {key: value for key, value in numbers.items() if math.isfinite(value)}


def series_of(notes: Iterable[str]) -> dict[str, list[tuple[int, float]]]:
    """Return the numbers in a bot's stored notes by key, each with the number of its question.

    >>> series_of(["question 1: value=2", "question 4: value=3 sure", "no note"])
    {'value': [(1, 2.0), (4, 3.0)]}
    """
    points_by_key: dict[str, list[tuple[int, float]]] = {}
    for note in map(STORED_NOTE.fullmatch, notes):
        for key, value in numbers_in(note[2]).items() if note else ():
            if key in points_by_key or len(points_by_key) < MAX_KEYS:
                points_by_key.setdefault(key, []).append((int(note[1]) if note else 0, value))
    return points_by_key
