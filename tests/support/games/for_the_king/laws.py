"""For the King's part in the property tests of all games: a list of components, and matches that look the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import msgspec

from ftk_core.facts import Action, Fact, Viewer, encode, redact
from ftk_core.games.for_the_king.facts import DutiesAwarded, GoldCardPaid
from ftk_core.games.for_the_king.table_state import TableState
from tests.support.laws.exchanges import Exchange, list_unknown_names
from tests.support.laws.rigged import WorldImpossible
from tests.support.laws.worlds import Spot, World, WorldChanges

FOLLOWS = {
    "KingCardRevealed",
    "BidderDefaulted",
    "AuctionWon",
    "OfficePointsChangedByKing",
    "KingCardDiscardedWithoutEffect",
}
"""Facts that only some cards cause."""


def census(table: TableState) -> list[str]:
    """Return every card, wherever it is; none before the deal."""
    single = [card for card in (table.drawn, table.king, table.lot) if card]
    piles = [*table.hands, *table.lost]
    return [*table.deck, *table.removed, *table.middle, *table.favor, *table.discards, *single, *sum(piles, ())]


def _face(action: Action) -> str:
    """Return the visible form of an action: coins of one value look the same (F16)."""
    return re.sub(r"GOLD-(\d)-\d\d", r"GOLD-\1", encode(action).decode())


class CardsExchanged:
    """Changes to a match: two cards that the viewer does not know are exchanged, from the first shuffle on."""

    def __init__(self, world: World, viewer: Viewer, draw: Random) -> None:
        hidden = list_unknown_names(world, viewer, draw.randrange(len(world.facts)))
        if len(hidden) < 2:
            raise WorldImpossible("nothing is hidden")
        one, other = draw.sample(hidden, 2)
        coins = [card for card in hidden if card.startswith("GOLD") and card != other]
        if coins and draw.random() < 0.5:  # coins determine if a seat that pays has a choice
            one = draw.choice(coins)
        self._world, self._viewer, self.exchange = world, viewer, Exchange(one, other)

    def choose(self, _spot: Spot, was: Action | None, menu: Sequence[Action]) -> Action:
        """Return the same choice as in the first world, or a choice that looks the same.

        Raises WorldImpossible if the menu has no such choice.
        """
        assert was is not None
        text = self.exchange.in_text(encode(was).decode())
        exchanged: Action = msgspec.json.decode(text, type=self._world.game.actions)
        alike = [item for item in (was, exchanged) if item in menu] + [
            item for item in menu if _face(item) == _face(was)
        ]
        if not alike:
            raise WorldImpossible(f"{was} is nobody's choice there")
        return alike[0]

    def shows(self, _number: int, there: Fact, here: Fact) -> bool:
        """Return True if the two facts may differ: they show an exchanged card, or a consequence of having the card."""
        kinds = {type(there).__name__, type(here).__name__}
        if len(kinds) > 1:
            return bool(kinds & FOLLOWS)
        told = encode(redact(there, self._viewer)).decode()
        comes_out = self.exchange.in_text(told)
        if comes_out != told and comes_out == encode(redact(here, self._viewer)).decode():
            return True
        if isinstance(there, GoldCardPaid) and isinstance(here, GoldCardPaid):
            return there.value != here.value  # the value of a coin that is paid is open
        return isinstance(there, DutiesAwarded)


def other_world(world: World, viewer: Viewer, draw: Random) -> WorldChanges:
    """Return changes that exchange two random cards that the viewer does not know; raises WorldImpossible."""
    cards = CardsExchanged(world, viewer, draw)
    says = {label: [cards.exchange.of(outcome) for outcome in said] for label, said in world.heard.items()}
    return WorldChanges(says, cards.choose, cards.shows)
