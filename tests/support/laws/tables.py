"""Random matches of every game at every table size."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache

from hypothesis import settings

from ftk_core.games import list_games
from ftk_core.kit.laws import random_matches
from ftk_core.kit.laws.random_matches import REACHES, RandomMatch, RandomStreamLabelRecorder, SeatDecisionPoint
from tests.support.laws.by_game import options_for

__all__ = ["GAMES_AND_SIZES", "MATCHES", "REACHES", "RandomMatch", "RandomStreamLabelRecorder", "SeatDecisionPoint"]
MATCHES = int(os.environ.get("FTK_LAWS_MATCHES", "0")) or settings().max_examples // 25
"""Number of random matches of each game and table size; `make laws` and FTK_LAWS_MATCHES raise it."""
MANY = 10
"""Number of matches from which on they are not cached."""
GAMES_AND_SIZES = [(name, seats) for name, row in list_games().items() for seats in row.seats]


def play_random_match(name: str, seats: int, number: int, silent: bool = False) -> RandomMatch:
    """Play a match, at random or always with the first item of the menu."""
    options = options_for(name, seats, number)
    return random_matches.play_random_match(list_games()[name], seats, number, options, silent=silent)


@cache
def _kept(name: str, seats: int) -> tuple[RandomMatch, ...]:
    return tuple(play_random_match(name, seats, number) for number in range(MATCHES))


def play_random_matches(name: str, seats: int) -> Iterable[RandomMatch]:
    """Return `MATCHES` random matches of a game at a table size; below `MANY` matches they are cached."""
    return (
        _kept(name, seats) if MATCHES < MANY else (play_random_match(name, seats, number) for number in range(MATCHES))
    )
