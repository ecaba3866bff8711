"""Picture of a view: the board, the common cards, and an area for every seat."""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec
from msgspec.structs import replace

from ftk_core.games.for_the_king import scoring
from ftk_core.games.for_the_king.box import CARDS, OFFICES
from ftk_core.games.for_the_king.sight import Duty, Sight
from ftk_core.games.for_the_king.state import gold_in
from ftk_core.games.for_the_king.words import card_name
from ftk_core.scene import Meter, Piece, Scene, Zone

PILE = 3
"""Number of cards drawn for a face-down pile. The note of the pile tells its size."""
KEPT = 1024
"""Cache size for rows of cards, boards and counts: consecutive pictures of a match hardly differ."""


def scene(sight: Sight) -> Scene:
    """Draw everything that a viewer may know."""
    zones = [
        _board(sight.duties, sight.primaries, sight.secondaries),
        _pile("deck", "Deck", sight.deck, sight.deck_order),
        _pile("favor", "Favor deck", sight.favor, sight.favor_order),
        _middle(sight),
        _lot(sight),
    ]
    for seat in range(sight.seats):
        zones += _seat(sight, seat)
    zones.append(Zone(key="discards", label="Discards", layout="stack", pieces=_discarded(sight.discards)))
    if sight.removed:
        zones.append(Zone(key="removed", label="Put back unseen", layout="stack", pieces=_faces(sight.removed)))
    return Scene(tuple(zones), _meters(sight), sight.to_act)


@cache
def face_up(card: str) -> Piece:
    """Return a face-up card, keyed by its identity."""
    row = CARDS[card]
    if row.kind == "government":
        office = OFFICES[row.office]
        tags = ("government", f"office:{office}", f"value:{row.value}")
        return Piece(
            key=card, kind="card", face=f"{office}-{row.value}-{row.letter}", label=card_name(card, "en"), tags=tags
        )
    if row.kind == "gold":
        return Piece(
            key=card,
            kind="card",
            face=f"gold-{row.value}",
            label=card_name(card, "en"),
            tags=("gold", f"value:{row.value}"),
        )
    return Piece(key=card, kind="card", face=f"king-{row.king}", label=card_name(card, "en"), tags=("king",))


@lru_cache(KEPT)
def _faces(cards: tuple[str, ...]) -> tuple[Piece, ...]:
    return tuple(face_up(card) for card in cards)


@lru_cache(KEPT)
def _discarded(cards: tuple[str, ...]) -> tuple[Piece, ...]:
    """Return the discards. Coins of one value are alike and keyed by position."""
    pieces = (face_up(card if card in CARDS else f"{card}-01") for card in cards)
    return tuple(
        piece if card in CARDS else replace(piece, key=f"coin-{at}")
        for at, (card, piece) in enumerate(zip(cards, pieces, strict=True))
    )


@lru_cache(KEPT)
def _backs(place: str, count: int) -> tuple[Piece, ...]:
    """Return face-down cards, keyed by position so that the keys do not reveal their identity."""
    return tuple(Piece(key=f"{place}-{number}", kind="card", face="", label="face down") for number in range(count))


def _pile(key: str, label: str, count: int, order: tuple[str, ...] | None) -> Zone:
    """Return the top cards of a pile, the topmost last."""
    pieces = _backs(key, min(count, PILE)) if order is None else _faces(order[:PILE][::-1])
    return Zone(key=key, label=label, layout="stack", pieces=pieces, note=_cards(count))


Holders = tuple[int | None, ...]


@lru_cache(KEPT)
def _board(duties: tuple[Duty, ...], primaries: Holders, secondaries: Holders) -> Zone:
    tiles = []
    for duty, one, two in zip(duties, _held(primaries, duties), _held(secondaries, duties), strict=True):
        tags = (f"office:{duty.office}", f"value:{duty.primary}", *one)
        label = f"{duty.office.capitalize()}: Primary Duty {duty.primary}"
        tiles.append(
            Piece(
                key=f"primary-{duty.office}",
                kind="tile",
                face=f"{duty.office}-{duty.primary}",
                label=label,
                tags=("primary", *tags),
            )
        )
        if duty.secondary:
            label = f"{duty.office.capitalize()}: Secondary Duty {duty.secondary}"
            face = f"{duty.office}-{duty.secondary}"
            tags = ("secondary", f"office:{duty.office}", f"value:{duty.secondary}", *two)
            tiles.append(Piece(key=f"secondary-{duty.office}", kind="tile", face=face, label=label, tags=tags))
    return Zone(key="board", label="Government board", layout="grid", pieces=tuple(tiles))


def _held(holders: Holders, duties: tuple[Duty, ...]) -> list[tuple[str, ...]]:
    """Return by office a tag with the seat that holds the duty; empty before the council is named."""
    return [() if seat is None else (f"seat:{seat}",) for seat in holders] or [()] * len(duties)


def _middle(sight: Sight) -> Zone:
    return Zone(key="middle", label="Middle of the table", pieces=_faces(sight.middle))


def _lot(sight: Sight) -> Zone:
    note = ""
    if sight.lot is not None:
        note = "no bid yet" if sight.leader is None else f"bid {sight.bid}"
    card = sight.lot or sight.king
    return Zone(
        key="lot",
        label="On offer" if sight.lot or not sight.king else "King card",
        pieces=_faces((card,) if card else ()),
        note=note,
    )


def _seat(sight: Sight, seat: int) -> tuple[Zone, ...]:
    hand = sight.hands[seat]
    if hand is not None:
        zones = _open_hand(seat, hand)
    else:
        zones = _closed_hand(seat, sight.known[seat], sight.hand_sizes[seat], sight.lost_sizes[seat])
    if sight.step == "place" and sight.adviser == seat:
        zones += _drawn(seat, sight.drawn)
    lost = sight.lost[seat]
    return (
        (*zones, Zone(key=f"lost-{seat}", label="Discarded unseen", seat=seat, layout="stack", pieces=_faces(lost)))
        if lost
        else zones
    )


@lru_cache(KEPT)
def _open_hand(seat: int, hand: tuple[str, ...]) -> tuple[Zone, ...]:
    return (
        Zone(key=f"hand-{seat}", label="Hand", seat=seat, layout="fan", pieces=_faces(hand), note=_cards(len(hand))),
    )


@lru_cache(KEPT)
def _closed_hand(seat: int, known: tuple[str, ...], size: int, lost: int) -> tuple[Zone, ...]:
    """Return the publicly known cards of a hand, and the backs of the others."""
    all_known = size > 0 and not lost and size == len(known)
    note = _cards(size) + (f"; {lost} discarded unseen" if lost else ", all known" if all_known else "")
    backs = _backs(f"hand-{seat}", max(0, size - len(known)))
    return (
        Zone(key=f"hand-{seat}", label="Hand", seat=seat, layout="fan", pieces=(*_faces(known), *backs), note=note),
    )


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _drawn(seat: int, card: str | None) -> tuple[Zone, ...]:
    """Return the area of the card just drawn, in front of the Adviser."""
    pieces = _backs(f"drawn-{seat}", 1) if card is None else _faces((card,))
    return (Zone(key=f"drawn-{seat}", label="Just drawn", seat=seat, pieces=pieces),)


class Seen(msgspec.Struct, frozen=True):
    """Visible part of the table, in the form that the scoring needs."""

    seats: int
    hands: tuple[tuple[str, ...], ...]
    duties: tuple[int, ...]


def _points_in_sight(sight: Sight) -> tuple[int, ...]:
    """Return the score of the visible cards if the council were named now."""
    hands = tuple(known if hand is None else hand for hand, known in zip(sight.hands, sight.known, strict=True))
    seen = Seen(sight.seats, hands, tuple(duty.primary for duty in sight.duties))
    return scoring.points(seen, *scoring.council(seen))


def _meters(sight: Sight) -> tuple[Meter, ...]:
    points = (
        Meter("points", "Victory points", sight.points)
        if sight.points
        else Meter("points", "Points in sight", _points_in_sight(sight))
    )
    cards = Meter("cards", "Cards in hand", sight.hand_sizes)
    if all(hand is not None for hand in sight.hands):
        return (points, cards, Meter("gold", "Gold in hand", tuple(gold_in(hand or ()) for hand in sight.hands)))
    return (points, cards)
