"""Rules of the first part, in which the players secretly steal from the box."""
# Each `apply_` function returns the new state after an event of one kind.

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from ftk_core.game import replace_at
from ftk_core.games.kings_court.facts import (
    BoxContentsSeen,
    BreakTheftRulesAction,
    DiamondsHidden,
    DismissAction,
    DismissalDecided,
    HideAction,
    SeatTookFromBox,
    TakeAction,
    TheftRulesBroken,
)
from ftk_core.games.kings_court.player_claims import ItemsTakenFromBox
from ftk_core.games.kings_court.roles_and_options import DIAMONDS, MAX_HIDDEN_DIAMONDS
from ftk_core.games.kings_court.table_state import BoxContents, TableState

HIDES = tuple(HideAction(count) for count in range(MAX_HIDDEN_DIAMONDS + 1))


def dismiss_menu(table: TableState) -> tuple[DismissAction, ...]:
    """Return the legal actions of the first player: remove no card, or one of the cards in the box."""
    return (DismissAction(), *(DismissAction(card) for card in dict.fromkeys(table.box.cards)))


def box_menu(table: TableState) -> tuple[TakeAction | BreakTheftRulesAction, ...]:
    """Return the legal actions of the player with the box."""
    # The first item breaks the rules of taking and exiles the player; the referee plays it for a player who does not
    # answer. Only at an empty box is there no such item.
    return _list_takes(table.box, last=table.at == table.seats - 1)


@lru_cache(4096)
def _list_takes(box: BoxContents, *, last: bool) -> tuple[TakeAction | BreakTheftRulesAction, ...]:
    if box.empty:
        return (TakeAction(),)
    menu: list[TakeAction | BreakTheftRulesAction] = [BreakTheftRulesAction()]
    menu += [TakeAction(count) for count in range(1, box.diamonds + 1)]
    menu += [TakeAction(0, card) for card in dict.fromkeys(box.cards)]
    if box.fake:
        menu += [TakeAction(count, None, fake=True) for count in range(box.diamonds + 1)]
    if last:
        menu.append(TakeAction())
    return tuple(menu)


def apply_diamonds_hidden(table: TableState, fact: DiamondsHidden) -> TableState:
    """Remove the diamonds that the King keeps, and pass the box to the first player."""
    count = fact.count or 0
    return replace(table, hidden=count, box=replace(table.box, diamonds=DIAMONDS - count), at=1)


def apply_box_received(table: TableState, fact: BoxContentsSeen) -> TableState:
    """Record the contents of the box that a player sees."""
    return replace(table, looked=True, arrivals=replace_at(table.arrivals, fact.seat, table.box))


def apply_box_considered(table: TableState, fact: DismissalDecided) -> TableState:
    """Remove the card that the first player turned over, if any, from the box."""
    cards = list(table.box.cards)
    if fact.card is not None:
        cards.remove(fact.card)
    return replace(table, considered=True, dismissed=fact.card, box=replace(table.box, cards=tuple(cards)))


def _pass_box_on(table: TableState) -> TableState:
    """Pass the box to the next player, or back to the King."""
    return replace(table, at=(table.at + 1) % table.seats, looked=False)


def apply_share_taken(table: TableState, fact: SeatTookFromBox) -> TableState:
    """Remove the things that a player takes from the box, and pass the box on."""
    take = ItemsTakenFromBox(fact.diamonds or 0, fact.card, bool(fact.fake))
    cards = list(table.box.cards)
    if take.card is not None:
        cards.remove(take.card)
    box = BoxContents(table.box.diamonds - take.diamonds, tuple(cards), table.box.fake and not take.fake)
    return _pass_box_on(replace(table, box=box, takes=replace_at(table.takes, fact.seat, take)))


def apply_fumbled(table: TableState, fact: TheftRulesBroken) -> TableState:
    """Exile a player who took from the box against the rules, and pass the box on."""
    seat = fact.seat
    return _pass_box_on(
        replace(
            table,
            fumbled=replace_at(table.fumbled, seat, value=True),
            exiled=replace_at(table.exiled, seat, value=True),
            revealed=replace_at(table.revealed, seat, value=True),
        )
    )
