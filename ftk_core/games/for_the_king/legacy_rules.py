"""Earlier versions of the rules, to read and rerun old logs."""

from __future__ import annotations

from dataclasses import replace

from ftk_core.facts import Action, Fact
from ftk_core.games.for_the_king.facts import GoldCardPaid, LegacyGoldCardPaid
from ftk_core.games.for_the_king.rules import GAME, decide
from ftk_core.games.for_the_king.table_state import TableState
from ftk_core.random_streams import MatchRandomness


def _decide_1(table: TableState, seat: int, action: Action, chance: MatchRandomness) -> tuple[Fact, ...]:
    """Return the events of a choice under version 1 of the rules."""
    # Version 1 reveals the id of a gold card in a payment.
    first, *following_facts = decide(table, seat, action, chance)
    if isinstance(first, GoldCardPaid):
        assert first.card is not None
        first = LegacyGoldCardPaid(seat, first.card)
    return (first, *following_facts)


PAST = (replace(GAME, version=1, decide=_decide_1, follow=None, resample=None),)
"""Earlier versions of the game, oldest first."""
