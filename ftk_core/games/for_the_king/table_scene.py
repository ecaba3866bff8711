"""Drawing of the game table of For the King (and Me) as one player sees it."""

from __future__ import annotations

from functools import cache, lru_cache

from msgspec.structs import replace

from ftk_core.games.for_the_king.cards import CARDS, OFFICES
from ftk_core.games.for_the_king.fact_sentences import card_name
from ftk_core.games.for_the_king.player_view import OfficeDutyPoints, PlayerView
from ftk_core.games.for_the_king.seat_comparisons.points_comparison import list_contests
from ftk_core.games.for_the_king.seat_comparisons.visible_scoring_state import visible_table
from ftk_core.games.for_the_king.table_state import gold_in
from ftk_core.views.scene import ScenePiece, SceneZone, SeatCounter, TableScene

MAX_DRAWN_PILE_CARDS = 3
"""Maximum number of cards that the scene shows of a pile. The note of the pile states its real size."""
MAX_CACHED_DRAWINGS = 1024
"""Size of each cache of drawn pieces and zones, which are reused because consecutive scenes hardly differ."""


def scene(sight: PlayerView) -> TableScene:
    """Return the description of the table (the scene) that clients draw. It shows everything in the view."""
    zones = [
        _draw_board(sight.duties, sight.primaries, sight.secondaries),
        _draw_pile("deck", "Deck", sight.deck, sight.deck_order),
        _draw_pile("favor", "Favor deck", sight.favor, sight.favor_order),
        _draw_middle(sight),
        _draw_lot(sight),
    ]
    for seat in range(sight.seats):
        zones += _draw_seat(sight, seat)
    zones.append(SceneZone(key="discards", label="Discards", layout="stack", pieces=_draw_discards(sight.discards)))
    if sight.removed:
        zones.append(
            SceneZone(key="removed", label="Put back unseen", layout="stack", pieces=_face_up_cards(sight.removed))
        )
    return TableScene(tuple(zones), _draw_meters(sight), sight.to_act, list_contests(sight))


@cache
def face_up(card: str) -> ScenePiece:
    """Return the piece that shows a face-up card. Its key is the card id."""
    definition = CARDS[card]
    if definition.kind == "government":
        office = OFFICES[definition.office]
        tags = ("government", f"office:{office}", f"value:{definition.value}")
        return ScenePiece(
            key=card,
            kind="card",
            face=f"{office}-{definition.value}-{definition.letter}",
            label=card_name(card, "en"),
            tags=tags,
        )
    if definition.kind == "gold":
        return ScenePiece(
            key=card,
            kind="card",
            face=f"gold-{definition.value}",
            label=card_name(card, "en"),
            tags=("gold", f"value:{definition.value}"),
        )
    return ScenePiece(
        key=card, kind="card", face=f"king-{definition.king}", label=card_name(card, "en"), tags=("king",)
    )


@lru_cache(MAX_CACHED_DRAWINGS)
def _face_up_cards(cards: tuple[str, ...]) -> tuple[ScenePiece, ...]:
    return tuple(face_up(card) for card in cards)


@lru_cache(MAX_CACHED_DRAWINGS)
def _draw_discards(cards: tuple[str, ...]) -> tuple[ScenePiece, ...]:
    # The key of a paid gold card is made from its position, because its id is hidden.
    pieces = (face_up(card if card in CARDS else f"{card}-01") for card in cards)
    return tuple(
        piece if card in CARDS else replace(piece, key=f"coin-{at}")
        for at, (card, piece) in enumerate(zip(cards, pieces, strict=True))
    )


@lru_cache(MAX_CACHED_DRAWINGS)
def _face_down_cards(place: str, count: int) -> tuple[ScenePiece, ...]:
    """Return pieces for face-down cards. Their keys contain positions, because card ids would reveal the cards."""
    return tuple(
        ScenePiece(key=f"{place}-{number}", kind="card", face="", label="face down") for number in range(count)
    )


def _draw_pile(key: str, label: str, count: int, order: tuple[str, ...] | None) -> SceneZone:
    """Return a zone (area of the scene) with the uppermost cards of a pile, the top card last."""
    pieces = (
        _face_down_cards(key, min(count, MAX_DRAWN_PILE_CARDS))
        if order is None
        else _face_up_cards(order[:MAX_DRAWN_PILE_CARDS][::-1])
    )
    return SceneZone(key=key, label=label, layout="stack", pieces=pieces, note=_card_count_text(count))


Holders = tuple[int | None, ...]


@lru_cache(MAX_CACHED_DRAWINGS)
def _draw_board(duties: tuple[OfficeDutyPoints, ...], primaries: Holders, secondaries: Holders) -> SceneZone:
    tiles = []
    for duty, one, two in zip(duties, _holder_tags(primaries, duties), _holder_tags(secondaries, duties), strict=True):
        tags = (f"office:{duty.office}", f"value:{duty.primary}", *one)
        label = f"{duty.office.capitalize()}: Primary Duty {duty.primary}"
        tiles.append(
            ScenePiece(
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
            tiles.append(ScenePiece(key=f"secondary-{duty.office}", kind="tile", face=face, label=label, tags=tags))
    return SceneZone(key="board", label="Government board", layout="grid", pieces=tuple(tiles))


def _holder_tags(holders: Holders, duties: tuple[OfficeDutyPoints, ...]) -> list[tuple[str, ...]]:
    """Return the tags of each office's tile: the seat that gets the points, such as ``("seat:2",)``."""
    # The tuple is empty if no seat gets the points. `holders` is empty before the end of the game.
    return [() if seat is None else (f"seat:{seat}",) for seat in holders] or [()] * len(duties)


def _draw_middle(sight: PlayerView) -> SceneZone:
    return SceneZone(key="middle", label="Middle of the table", pieces=_face_up_cards(sight.middle))


def _draw_lot(sight: PlayerView) -> SceneZone:
    note = ""
    if sight.lot is not None:
        note = "no bid yet" if sight.leader is None else f"bid {sight.bid}"
    card = sight.lot or sight.king
    return SceneZone(
        key="lot",
        label="On offer" if sight.lot or not sight.king else "King card",
        pieces=_face_up_cards((card,) if card else ()),
        note=note,
    )


def _draw_seat(sight: PlayerView, seat: int) -> tuple[SceneZone, ...]:
    hand = sight.hands[seat]
    if hand is not None:
        zones = _draw_open_hand(seat, hand)
    else:
        zones = _draw_closed_hand(seat, sight.known[seat], sight.hand_sizes[seat], sight.lost_sizes[seat])
    if sight.step == "place" and sight.adviser == seat:
        zones += _draw_adviser_card(seat, sight.drawn)
    lost = sight.lost[seat]
    return (
        (
            *zones,
            SceneZone(
                key=f"lost-{seat}", label="Discarded unseen", seat=seat, layout="stack", pieces=_face_up_cards(lost)
            ),
        )
        if lost
        else zones
    )


@lru_cache(MAX_CACHED_DRAWINGS)
def _draw_open_hand(seat: int, hand: tuple[str, ...]) -> tuple[SceneZone, ...]:
    return (
        SceneZone(
            key=f"hand-{seat}",
            label="Hand",
            seat=seat,
            layout="fan",
            pieces=_face_up_cards(hand),
            note=_card_count_text(len(hand)),
        ),
    )


@lru_cache(MAX_CACHED_DRAWINGS)
def _draw_closed_hand(seat: int, known: tuple[str, ...], size: int, lost: int) -> tuple[SceneZone, ...]:
    """Return the zone of a hidden hand, in which only publicly known cards are face up."""
    # Some of the known cards may have been discarded face down.
    all_known = size > 0 and not lost and size == len(known)
    note = _card_count_text(size) + (f"; {lost} discarded unseen" if lost else ", all known" if all_known else "")
    backs = _face_down_cards(f"hand-{seat}", max(0, size - len(known)))
    return (
        SceneZone(
            key=f"hand-{seat}",
            label="Hand",
            seat=seat,
            layout="fan",
            pieces=(*_face_up_cards(known), *backs),
            note=note,
        ),
    )


def _card_count_text(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _draw_adviser_card(seat: int, card: str | None) -> tuple[SceneZone, ...]:
    """Return the zone with the card that the Adviser (the player with the deck) has just drawn."""
    pieces = _face_down_cards(f"drawn-{seat}", 1) if card is None else _face_up_cards((card,))
    return (SceneZone(key=f"drawn-{seat}", label="Just drawn", seat=seat, pieces=pieces),)


def _draw_meters(sight: PlayerView) -> tuple[SeatCounter, ...]:
    points = (
        SeatCounter("points", "Victory points", sight.points)
        if sight.points
        else SeatCounter("points", "Points in sight", visible_table(sight).points)
    )
    cards = SeatCounter("cards", "Cards in hand", sight.hand_sizes)
    if all(hand is not None for hand in sight.hands):
        return (points, cards, SeatCounter("gold", "Gold in hand", tuple(gold_in(hand or ()) for hand in sight.hands)))
    return (points, cards)
