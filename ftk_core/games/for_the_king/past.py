"""Earlier versions of the rules, to read and rerun old logs."""

from __future__ import annotations

from dataclasses import replace

from ftk_core.facts import Action, Fact
from ftk_core.games.for_the_king.facts import CoinPaid, GoldPaid
from ftk_core.games.for_the_king.rules import GAME, decide
from ftk_core.games.for_the_king.state import Table
from ftk_core.rng import Chance


def _decide_1(table: Table, seat: int, action: Action, chance: Chance) -> tuple[Fact, ...]:
    """Return the facts of a choice; in version 1 a payment reveals which of its equal coins was paid."""
    first, *rest = decide(table, seat, action, chance)
    if isinstance(first, CoinPaid):
        assert first.card is not None
        first = GoldPaid(seat, first.card)
    return (first, *rest)


PAST = (replace(GAME, version=1, decide=_decide_1, follow=None, resample=None),)
"""Oldest first."""
