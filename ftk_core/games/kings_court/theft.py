"""Diamond theft: possible takes and their effects."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from ftk_core.game import put
from ftk_core.games.kings_court.box import DIAMONDS, MOST_HIDDEN
from ftk_core.games.kings_court.claims import Take
from ftk_core.games.kings_court.facts import (
    BoxConsidered,
    BoxReceived,
    DiamondsHidden,
    Dismiss,
    Fumble,
    Fumbled,
    Help,
    Hide,
    ShareTaken,
)
from ftk_core.games.kings_court.state import Box, Table

HIDES = tuple(Hide(count) for count in range(MOST_HIDDEN + 1))


def dismiss_menu(table: Table) -> tuple[Dismiss, ...]:
    """Return "nothing" first, then every kind of card in the box."""
    return (Dismiss(), *(Dismiss(card) for card in dict.fromkeys(table.box.cards)))


def help_menu(table: Table) -> tuple[Help | Fumble, ...]:
    """Return the options of the seat with the box: only nothing if it is empty (K4); silent seats fumble (K6)."""
    return _helps(table.box, last=table.at == table.seats - 1)


@lru_cache(4096)
def _helps(box: Box, *, last: bool) -> tuple[Help | Fumble, ...]:
    if box.empty:
        return (Help(),)
    menu: list[Help | Fumble] = [Fumble()]
    menu += [Help(count) for count in range(1, box.diamonds + 1)]
    menu += [Help(0, card) for card in dict.fromkeys(box.cards)]
    if box.fake:
        menu += [Help(count, None, fake=True) for count in range(box.diamonds + 1)]
    if last:
        menu.append(Help())
    return tuple(menu)


def diamonds_hidden(table: Table, fact: DiamondsHidden) -> Table:
    """Close the box and hand it to the first player."""
    count = fact.count or 0
    return replace(table, hidden=count, box=replace(table.box, diamonds=DIAMONDS - count), at=1)


def box_received(table: Table, fact: BoxReceived) -> Table:
    """Record what a seat saw in the box."""
    return replace(table, looked=True, arrivals=put(table.arrivals, fact.seat, table.box))


def box_considered(table: Table, fact: BoxConsidered) -> Table:
    """Remove a dismissed card."""
    cards = list(table.box.cards)
    if fact.card is not None:
        cards.remove(fact.card)
    return replace(table, considered=True, dismissed=fact.card, box=replace(table.box, cards=tuple(cards)))


def _passed_on(table: Table) -> Table:
    """Pass the box to the left; after the last subject it returns to the King."""
    return replace(table, at=(table.at + 1) % table.seats, looked=False)


def share_taken(table: Table, fact: ShareTaken) -> Table:
    """Move a share from the box to a pocket."""
    take = Take(fact.diamonds or 0, fact.card, bool(fact.fake))
    cards = list(table.box.cards)
    if take.card is not None:
        cards.remove(take.card)
    box = Box(table.box.diamonds - take.diamonds, tuple(cards), table.box.fake and not take.fake)
    return _passed_on(replace(table, box=box, takes=put(table.takes, fact.seat, take)))


def fumbled(table: Table, fact: Fumbled) -> Table:
    """Exile a seat that broke the rules (K6)."""
    seat = fact.seat
    return _passed_on(
        replace(
            table,
            fumbled=put(table.fumbled, seat, value=True),
            exiled=put(table.exiled, seat, value=True),
            revealed=put(table.revealed, seat, value=True),
        )
    )
