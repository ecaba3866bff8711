"""Fast policy for playouts (simulated matches) of For the King. It values a card by its effect on the office's contest.

It only uses what the seat knows. It only computes sums, products and quotients, which are identical to the last digit
on any machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ftk_core.facts import Action
from ftk_core.games.for_the_king.cards import CARDS, OFFICES, secondary_duty
from ftk_core.games.for_the_king.facts import DecreeAction, PayAction, PlaceAction
from ftk_core.games.for_the_king.table_state import TableState, gold_in, step
from ftk_core.random_streams import RandomBitStream

VALUE = {card.id: card.value for card in CARDS.values()}
OFFICE = {card.id: card.office for card in CARDS.values()}
"""Office index of each card; negative for gold and Kings."""
HIGH_OFFICE_COUNT = 2
"""Number of offices with high card values. They come first in `OFFICES`."""
UNSEEN_CARD_STRENGTH = (0.30, 0.13)
"""Card value that an unseen card adds to a seat on average, in an office with high values and in another."""
RACE_STEEPNESS = (0.7, 1.0)
"""Weight of one point of lead in the contest for an office with high card values, and for another."""
COIN, KING, BOUGHT_KING = 0.22, 0.4, 0.7
"""Values in victory points: of 1 gold, of a King card taken from the middle, and of a King card at auction."""


def quick(table: TableState, seat: int, menu: Sequence[Action], _draw: RandomBitStream) -> int:
    """Return the index of the menu item with the largest gain at an acceptable price."""
    choices = range(len(menu))
    match step(table):
        case "place":
            return _place(table, seat, [action.area for action in menu if isinstance(action, PlaceAction)])
        case "choose":
            return max(choices, key=lambda index: (_gain(table, seat, table.middle[index]), -index))
        case "king":
            return max(choices, key=lambda index: (_decree_value(table, seat, menu[index]), -index))
        case "bid":
            return _bid(table, seat)
        case "pay" if CARDS[table.lot or ""].kind == "gold":
            losses = [_loss(table, seat, action.card) for action in menu if isinstance(action, PayAction)]
            return losses.index(min(losses))
    return 0


def _place(table: TableState, seat: int, areas: list[str]) -> int:
    """Return the index of the best area for the drawn card."""
    card, seats = table.drawn or "", table.seats
    gain, gift = _gain(table, seat, card), _value_to_opponent(card)
    left = len(areas) + (seats - 2 if "middle" in areas else 0)
    worth = {
        "self": gain - 0.62 * max(0.25, left / (seats + 1)),
        "middle": 0.05 - 0.5 * gift,
        "favor": 0.25 * gain - 0.15 * gift,
    }
    return max(range(len(areas)), key=lambda index: (worth[areas[index]], -index))


def _bid(table: TableState, seat: int) -> int:
    """Return the menu index 1, which raises by one, while the card gains more than its price; else 0."""
    lot, hand, amount = table.lot or "", table.hands[seat], table.bid + 1
    if CARDS[lot].kind == "gold":
        return int(amount <= min(len(hand), VALUE[lot] - 1, len(table.favor) - 1))  # any useless card can pay
    gold = gold_in(hand)
    if amount > gold:
        return 0
    price = min(COIN, 2.7 / (gold + 0.75 * (len(table.favor) + 1)))
    worth = BOUGHT_KING if CARDS[lot].kind == "king" else _gain(table, seat, lot) + 0.1 * _value_to_opponent(lot)
    return int(worth > amount * price)


def _decree_value(table: TableState, seat: int, action: Action) -> float:
    """Return the value of a decree for a seat: its lead over the best opponent in the offices that it changes."""
    if not isinstance(action, DecreeAction):
        return 0.0
    total = 0.0
    for sign, names in ((1, action.up), (-1, action.down)):
        for name in names:
            office = OFFICES.index(name)
            rivals = _rivals(table, seat, office)
            total += sign * (_strengths(table.hands[seat])[office] - max(rivals))
    return total


def _gain(table: TableState, seat: int, card: str) -> float:
    """Return the gain of a seat from one more card, in victory points."""
    return _change(table, seat, card, VALUE[card])


def _loss(table: TableState, seat: int, card: str) -> float:
    """Return the loss of a seat from one card less, in victory points."""
    return 0.0 if CARDS[card].kind == "king" else -_change(table, seat, card, -VALUE[card])


def _change(table: TableState, seat: int, card: str, more: int) -> float:
    office = OFFICE[card]
    if office < 0:
        return COIN * more if CARDS[card].kind == "gold" else KING
    if office >= len(table.duties):
        return 0.0
    mine = _strengths(table.hands[seat])[office]
    rivals = _rivals(table, seat, office)
    return _prospect(table, office, mine + more, rivals) - _prospect(table, office, mine, rivals)


def _value_to_opponent(card: str) -> float:
    """Return the approximate value of a card to the best placed opponent."""
    return {"gold": COIN * VALUE[card], "king": KING}.get(CARDS[card].kind, 0.25 * VALUE[card])


@lru_cache(1 << 14)
def _strengths(cards: tuple[str, ...]) -> tuple[int, ...]:
    """Return the sum of card values in each office. The result is cached, because hands recur in playouts."""
    sums = [0] * len(OFFICES)
    for card in cards:
        if (office := OFFICE[card]) >= 0:
            sums[office] += VALUE[card]
    return tuple(sums)


def _rivals(table: TableState, seat: int, office: int) -> list[float]:
    """Return each opponent's likely sum of card values in an office: known cards, plus an average for unseen cards."""
    each, hands, known = UNSEEN_CARD_STRENGTH[office >= HIGH_OFFICE_COUNT], table.hands, table.known
    return [
        _strengths(known[other])[office] + each * (len(hands[other]) - len(known[other]))
        for other in range(table.seats)
        if other != seat
    ]


def _prospect(table: TableState, office: int, mine: float, rivals: Sequence[float]) -> float:
    """Return the expected points from an office with the card value `mine`, smoothed so that close contests matter."""
    if mine <= 0:
        return 0.0
    first, second, steep = 1.0, 0.0, RACE_STEEPNESS[office >= HIGH_OFFICE_COUNT]
    for rival in rivals:
        lead = steep * (mine - rival)
        wins = 0.5 + 0.5 * lead / (1 + abs(lead))
        second = second * wins + first * (1 - wins)
        first *= wins
    duty = table.duties[office]
    return first * duty + second * secondary_duty(duty, table.seats)
