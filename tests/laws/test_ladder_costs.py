"""Stronger bots lose less by their choices, according to the reviews of their matches."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import settings

from tests.support.ladder_costs import given_by_choices, interval
from tests.support.reviews import LADDERS

LONG = settings().max_examples >= 1000
PLAYED = {"for_the_king": (3, 720, 8), "kings_court": (6, 2000, 8), "to_court_the_king": (3, 2000, 2)}
"""Seats, matches, and playouts of a table by game; each takes three to ten minutes."""
KNOWN_EXCEPTIONS = [("kings_court", 0, "sleuth", "accuser")]
"""Pairs in which reviews value the choices of the weaker bot higher; docs/review.md names them."""
STEPS = [
    step
    for name in PLAYED
    for number, pair in enumerate(pairwise(LADDERS[name]))
    if (step := (name, number, *pair)) not in KNOWN_EXCEPTIONS
]
PART = 1 if LONG else 9
"""Number of matches of which one is played."""


@cache
def given(name: str) -> list[tuple[float, ...]]:
    """Return, for each match, the value of each bot's choices, strongest bot first."""
    seats, matches, playouts = PLAYED[name]
    return list(given_by_choices(name, seats, range(matches // PART), playouts))


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "step", "better", "weaker"), STEPS if LONG else STEPS[:1])
def test_choices_of_a_weaker_bot_cost_more_in_match_reviews_than_choices_of_a_stronger_bot(
    name: str, step: int, better: str, weaker: str
) -> None:
    low, high = interval([gave[step] - gave[step + 1] for gave in given(name)])
    assert low > 0, f"{name}: {weaker}'s choices cost {low:.3f} to {high:.3f} more than {better}'s"
