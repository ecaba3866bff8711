"""Fast policy for playouts of For the King: value a card by its effect on the race for its office.

It only uses what the seat knows. It only computes sums, products and quotients, which are identical to the last digit
on any machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ftk_core.facts import Action
from ftk_core.games.for_the_king.box import CARDS, OFFICES, secondary
from ftk_core.games.for_the_king.facts import Decree, Pay, Place
from ftk_core.games.for_the_king.state import Table, gold_in, step
from ftk_core.rng import Draw

VALUE = {card.id: card.value for card in CARDS.values()}
OFFICE = {card.id: card.office for card in CARDS.values()}
"""Office index of each card; negative for gold and Kings."""
HIGH = 2
"""Number of offices with high cards; they come first."""
UNSEEN = (0.30, 0.13)
"""Estimated strength that an unseen card adds to a seat, in a high office and in another."""
STEEP = (0.7, 1.0)
"""Effect of one more point of strength on the race for a high office, and for another."""
COIN, KING, BOUGHT_KING = 0.22, 0.4, 0.7
"""Values of a gold card, a King taken, and a King on offer, in victory points."""


def quick(table: Table, seat: int, menu: Sequence[Action], _draw: Draw) -> int:
    """Return the item with the largest gain at an acceptable price."""
    choices = range(len(menu))
    match step(table):
        case "place":
            return _place(table, seat, [action.area for action in menu if isinstance(action, Place)])
        case "choose":
            return max(choices, key=lambda index: (_gain(table, seat, table.middle[index]), -index))
        case "king":
            return max(choices, key=lambda index: (_promise(table, seat, menu[index]), -index))
        case "bid":
            return _bid(table, seat)
        case "pay" if CARDS[table.lot or ""].kind == "gold":
            losses = [_loss(table, seat, action.card) for action in menu if isinstance(action, Pay)]
            return losses.index(min(losses))
    return 0


def _place(table: Table, seat: int, areas: list[str]) -> int:
    """Return the best open area for the drawn card."""
    card, seats = table.drawn or "", table.seats
    gain, gift = _gain(table, seat, card), _gift(card)
    left = len(areas) + (seats - 2 if "middle" in areas else 0)
    worth = {
        "self": gain - 0.62 * max(0.25, left / (seats + 1)),
        "middle": 0.05 - 0.5 * gift,
        "favor": 0.25 * gain - 0.15 * gift,
    }
    return max(range(len(areas)), key=lambda index: (worth[areas[index]], -index))


def _bid(table: Table, seat: int) -> int:
    """Return 1, which raises by one, while the card gains more than its price, else 0."""
    lot, hand, amount = table.lot or "", table.hands[seat], table.bid + 1
    if CARDS[lot].kind == "gold":
        return int(amount <= min(len(hand), VALUE[lot] - 1, len(table.favor) - 1))  # any useless card can pay
    gold = gold_in(hand)
    if amount > gold:
        return 0
    price = min(COIN, 2.7 / (gold + 0.75 * (len(table.favor) + 1)))
    worth = BOUGHT_KING if CARDS[lot].kind == "king" else _gain(table, seat, lot) + 0.1 * _gift(lot)
    return int(worth > amount * price)


def _promise(table: Table, seat: int, action: Action) -> float:
    """Return the value of a decree for a seat, relative to the best of the others."""
    if not isinstance(action, Decree):
        return 0.0
    total = 0.0
    for sign, names in ((1, action.up), (-1, action.down)):
        for name in names:
            office = OFFICES.index(name)
            rivals = _rivals(table, seat, office)
            total += sign * (_strengths(table.hands[seat])[office] - max(rivals))
    return total


def _gain(table: Table, seat: int, card: str) -> float:
    """Return the gain of a seat from one more card, in victory points."""
    return _change(table, seat, card, VALUE[card])


def _loss(table: Table, seat: int, card: str) -> float:
    """Return the loss of a seat from one card less, in victory points."""
    return 0.0 if CARDS[card].kind == "king" else -_change(table, seat, card, -VALUE[card])


def _change(table: Table, seat: int, card: str, more: int) -> float:
    office = OFFICE[card]
    if office < 0:
        return COIN * more if CARDS[card].kind == "gold" else KING
    if office >= len(table.duties):
        return 0.0
    mine = _strengths(table.hands[seat])[office]
    rivals = _rivals(table, seat, office)
    return _prospect(table, office, mine + more, rivals) - _prospect(table, office, mine, rivals)


def _gift(card: str) -> float:
    """Return the approximate value of a card to the best placed opponent."""
    return {"gold": COIN * VALUE[card], "king": KING}.get(CARDS[card].kind, 0.25 * VALUE[card])


@lru_cache(1 << 14)
def _strengths(cards: tuple[str, ...]) -> tuple[int, ...]:
    """Return the sum of values by office; cached, because a playout asks often for the same hand."""
    sums = [0] * len(OFFICES)
    for card in cards:
        if (office := OFFICE[card]) >= 0:
            sums[office] += VALUE[card]
    return tuple(sums)


def _rivals(table: Table, seat: int, office: int) -> list[float]:
    """Return the likely strength of the opponents in an office: known cards, and a share of the unseen ones."""
    each, hands, known = UNSEEN[office >= HIGH], table.hands, table.known
    return [
        _strengths(known[other])[office] + each * (len(hands[other]) - len(known[other]))
        for other in range(table.seats)
        if other != seat
    ]


def _prospect(table: Table, office: int, mine: float, rivals: Sequence[float]) -> float:
    """Return the expected points of an office at some strength, smoothed so that close races matter."""
    if mine <= 0:
        return 0.0
    first, second, steep = 1.0, 0.0, STEEP[office >= HIGH]
    for rival in rivals:
        lead = steep * (mine - rival)
        wins = 0.5 + 0.5 * lead / (1 + abs(lead))
        second = second * wins + first * (1 - wins)
        first *= wins
    duty = table.duties[office]
    return first * duty + second * secondary(duty, table.seats)
