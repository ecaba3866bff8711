"""The default tie-breaks rank the stronger bot first more often than others do, in simulated leagues."""

from __future__ import annotations

import os
from functools import cache

import pytest

from ftk_core.league.scoring.tiebreaks import default_tiebreaks
from tests.support.lengths import nightly
from tests.support.ties.accuracy import RankingAccuracy, measure_accuracy, simulate_tied_leagues

pytestmark = pytest.mark.slow

FIELDS = int(os.environ.get("FTK_TIE_FIELDS", "40"))
FEW, MANY = 10, 1000
"""Fields of each table size. Few show only a systematic error; many show the accuracy of each table size."""
SURE = 1.645
"""Standard errors of a one-sided 95 % confidence bound."""
SEVERAL = (3, 4, 6, 8)


@cache
def measured(seats: int, fields: int) -> RankingAccuracy:
    found = RankingAccuracy()
    for run in simulate_tied_leagues(seats, fields, seed=11):
        found.add(measure_accuracy(run, {"usual": default_tiebreaks(seats), "lots": ("lots",)}))
    return found


def together(sizes: tuple[int, ...], fields: int = FIELDS) -> RankingAccuracy:
    found = RankingAccuracy()
    for seats in sizes:
        for name, counts in measured(seats, fields).fields.items():
            found.fields[name] += counts
    return found


@pytest.mark.nightly
@pytest.mark.parametrize("sizes", [(2,), SEVERAL] if FIELDS < MANY else [(seats,) for seats in (2, *SEVERAL)])
def test_the_default_tiebreaks_order_tied_bots_by_true_strength_better_than_chance(sizes: tuple[int, ...]) -> None:
    found = together(sizes)
    share, error = found.share("usual"), found.error("usual")
    assert share - SURE * error > 0.5, f"tables of {sizes}: {100 * share:.2f} % ± {100 * error:.2f}"


@pytest.mark.parametrize("fields", [FEW, *nightly(FIELDS)])
def test_a_random_tiebreak_orders_two_tied_bots_by_true_strength_half_of_the_time(fields: int) -> None:
    """Control experiment: otherwise the measurement itself is biased."""
    found = together(SEVERAL, fields)
    assert abs(found.share("lots") - 0.5) < 3.3 * found.error("lots")
