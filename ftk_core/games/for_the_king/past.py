"""The rules as they were, for the logs that were written under them."""

from __future__ import annotations

from ftk_core.facts import Action, Fact
from ftk_core.games.for_the_king import rules
from ftk_core.games.for_the_king.facts import CoinPaid, GoldPaid
from ftk_core.games.for_the_king.state import Table
from ftk_core.rng import Chance


def decide_1(table: Table, seat: int, action: Action, chance: Chance) -> tuple[Fact, ...]:
    """Return what followed in version 1: whoever paid named the coin, not only its value."""
    first, *rest = rules.decide(table, seat, action, chance)
    if isinstance(first, CoinPaid):
        assert first.card is not None
        first = GoldPaid(seat, first.card)
    return (first, *rest)
