"""What is usual is what puts the stronger bot first most often: measured in leagues of bots whose strength is known.

FTK_TIE_FIELDS says how many leagues of each table size; `make chaos` takes 2,000. The figures are in decision 0032.
"""

from __future__ import annotations

import os
from functools import cache

import pytest

from ftk_core.league.tiebreaks import usual
from tests.support.ties.fields import Measured, counted, fields

FIELDS = int(os.environ.get("FTK_TIE_FIELDS", "40"))
MANY = 1000
"""With so many fields, each table size can be judged alone."""
SURE = 1.645
"""So many standard errors below what was measured, the truth lies with 5 % at most."""
SEVERAL = (3, 4, 6, 8)


@cache
def measured(seats: int) -> Measured:
    found = Measured()
    for run in fields(seats, FIELDS, seed=11):
        found.add(counted(run, {"usual": usual(seats), "lots": ("lots",)}))
    return found


def together(sizes: tuple[int, ...]) -> Measured:
    found = Measured()
    for seats in sizes:
        for name, counts in measured(seats).fields.items():
            found.fields[name] += counts
    return found


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(2,), SEVERAL] if FIELDS < MANY else [(seats,) for seats in (2, *SEVERAL)])
def test_what_is_usual_is_better_than_a_lot(sizes: tuple[int, ...]) -> None:
    found = together(sizes)
    share, error = found.share("usual"), found.error("usual")
    assert share - SURE * error > 0.5, f"tables of {sizes}: {100 * share:.2f} % ± {100 * error:.2f}"


def test_a_lot_is_right_half_of_the_time() -> None:
    """Whoever finds otherwise has not measured what they believe."""
    found = together(SEVERAL)
    assert abs(found.share("lots") - 0.5) < 3.3 * found.error("lots")
