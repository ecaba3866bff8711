"""The picture of a view: the board, the common cards, and a place for every seat."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.games.for_the_king.box import CARDS, OFFICES
from ftk_core.games.for_the_king.sight import Sight
from ftk_core.games.for_the_king.state import gold_in
from ftk_core.games.for_the_king.words import card_name
from ftk_core.scene import Meter, Piece, Scene, Zone

PILE = 3
"""As many cards of a face-down pile are drawn; its note tells how many there are."""


def scene(sight: Sight) -> Scene:
    """Return the picture of what a viewer may know."""
    zones = [
        _board(sight),
        _pile("deck", "Deck", sight.deck, sight.deck_order),
        _pile("favor", "Favor deck", sight.favor, sight.favor_order),
        _middle(sight),
        _lot(sight),
    ]
    for seat in range(sight.seats):
        zones += _seat(sight, seat)
    zones.append(Zone("discards", "Discards", layout="stack", pieces=_faces(sight.discards)))
    if sight.removed:
        zones.append(Zone("removed", "Put back unseen", layout="stack", pieces=_faces(sight.removed)))
    return Scene(tuple(zones), _meters(sight), sight.to_act)


def face_up(card: str) -> Piece:
    """Return a card whose face is seen, keyed by what it is."""
    row = CARDS[card]
    if row.kind == "government":
        office = OFFICES[row.office]
        tags = ("government", f"office:{office}", f"value:{row.value}")
        return Piece(card, "card", f"{office}-{row.value}-{row.letter}", card_name(card, "en"), tags)
    if row.kind == "gold":
        return Piece(card, "card", f"gold-{row.value}", card_name(card, "en"), ("gold", f"value:{row.value}"))
    return Piece(card, "card", f"king-{row.king}", card_name(card, "en"), ("king",))


def _faces(cards: Sequence[str]) -> tuple[Piece, ...]:
    return tuple(face_up(card) for card in cards)


def _backs(place: str, count: int) -> tuple[Piece, ...]:
    """Return cards face down, keyed by where they lie: their keys must not tell one from another."""
    return tuple(Piece(f"{place}-{number}", "card", "", "face down") for number in range(count))


def _pile(key: str, label: str, count: int, order: Sequence[str] | None) -> Zone:
    """Return a pile's uppermost cards, the top one last."""
    pieces = _backs(key, min(count, PILE)) if order is None else _faces(order[:PILE][::-1])
    return Zone(key, label, layout="stack", pieces=pieces, note=f"{count} cards")


def _board(sight: Sight) -> Zone:
    tiles = []
    for duty, one, two in zip(sight.duties, _holders(sight, 0), _holders(sight, 1), strict=True):
        tags = (f"office:{duty.office}", f"value:{duty.primary}", *one)
        label = f"{duty.office.capitalize()}: Primary Duty {duty.primary}"
        tiles.append(
            Piece(f"primary-{duty.office}", "tile", f"{duty.office}-{duty.primary}", label, ("primary", *tags))
        )
        if duty.secondary:
            label = f"{duty.office.capitalize()}: Secondary Duty {duty.secondary}"
            face = f"{duty.office}-{duty.secondary}"
            tags = ("secondary", f"office:{duty.office}", f"value:{duty.secondary}", *two)
            tiles.append(Piece(f"secondary-{duty.office}", "tile", face, label, tags))
    return Zone("board", "Government board", layout="grid", pieces=tuple(tiles))


def _holders(sight: Sight, rank: int) -> list[tuple[str, ...]]:
    """Return by office a tag with the seat that holds the duty, once the council is named."""
    held = (sight.primaries, sight.secondaries)[rank]
    return [() if seat is None else (f"seat:{seat}",) for seat in held] or [()] * len(sight.duties)


def _middle(sight: Sight) -> Zone:
    return Zone("middle", "Middle of the table", pieces=_faces(sight.middle))


def _lot(sight: Sight) -> Zone:
    note = ""
    if sight.lot is not None:
        note = "no bid yet" if sight.leader is None else f"bid {sight.bid}"
    card = sight.lot or sight.king
    return Zone(
        "lot",
        "On offer" if sight.lot or not sight.king else "King card",
        pieces=_faces([card] if card else []),
        note=note,
    )


def _seat(sight: Sight, seat: int) -> list[Zone]:
    hand, size = sight.hands[seat], sight.hand_sizes[seat]
    zones = []
    if hand is not None:
        zones.append(Zone(f"hand-{seat}", "Hand", seat, "fan", _faces(hand), f"{size} cards"))
    else:
        known = sight.known[seat]
        backs = _backs(f"hand-{seat}", max(0, size - len(known)))
        zones.append(Zone(f"open-{seat}", "Taken openly", seat, "fan", _faces(known)))
        zones.append(Zone(f"hand-{seat}", "Hand", seat, "fan", backs, _hand_note(sight, seat)))
    zones += _drawn(sight, seat)
    return [*zones, *_aside(sight, seat)]


def _hand_note(sight: Sight, seat: int) -> str:
    lost = sight.lost_sizes[seat]
    return f"{sight.hand_sizes[seat]} cards" + (f"; {lost} discarded unseen" if lost else "")


def _drawn(sight: Sight, seat: int) -> list[Zone]:
    """Return the place of the card just drawn, before the Adviser."""
    if sight.step != "place" or sight.adviser != seat:
        return []
    pieces = _backs(f"drawn-{seat}", 1) if sight.drawn is None else _faces([sight.drawn])
    return [Zone(f"drawn-{seat}", "Just drawn", seat, pieces=pieces)]


def _aside(sight: Sight, seat: int) -> list[Zone]:
    """Return what a seat laid on the Favor deck and what it lost, for whoever may know."""
    lost = sight.lost[seat]
    if not lost:
        return []
    return [Zone(f"lost-{seat}", "Discarded unseen", seat, "stack", _faces(lost))]


def _meters(sight: Sight) -> tuple[Meter, ...]:
    meters = [Meter("cards", "Cards in hand", sight.hand_sizes)]
    if all(hand is not None for hand in sight.hands):
        meters.append(Meter("gold", "Gold in hand", tuple(gold_in(hand or ()) for hand in sight.hands)))
    if sight.points:
        meters.append(Meter("points", "Victory points", sight.points))
    return tuple(meters)
