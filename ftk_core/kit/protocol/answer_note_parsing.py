"""Parsing of the numbers in a bot's notes on its answers, such as ``depth=4 value=0.31``."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from ftk_core.kit.protocol.protocol_lines import strip_control_characters

STORED_NOTE = re.compile(r"question (\d+): (.*)", re.DOTALL)
"""Pattern of a stored note, with two groups: question number and text (see `trial_match.stored_notes`)."""
NUMBER = re.compile(r"(?:^|(?<=\s))([A-Za-z_][\w.-]{0,30})=([-+]?\d{1,30}(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?)(?=\s|$)")
MAX_KEYS = 12
"""Maximum number of different keys that are plotted for one bot."""


def format_numbered(number: int, text: str) -> str:
    """Return a note or fault with the number of its question, as it is stored for the bot's authors."""
    return strip_control_characters(f"question {number}: {text}")


def read_numbered(lines: Iterable[str]) -> list[tuple[int, str]]:
    """Return the numbers of questions and the texts in stored notes or faults.

    >>> read_numbered([format_numbered(7, "late: asleep")])
    [(7, 'late: asleep')]
    """
    return [(int(found[1]), found[2]) for found in map(STORED_NOTE.fullmatch, lines) if found]


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
    for number, note in read_numbered(notes):
        for key, value in numbers_in(note).items():
            if key in points_by_key or len(points_by_key) < MAX_KEYS:
                points_by_key.setdefault(key, []).append((number, value))
    return points_by_key
