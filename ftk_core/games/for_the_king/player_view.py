"""View of For the King (and Me): everything that one viewer may know of the table."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

import msgspec

from ftk_core.facts import OMNISCIENT, PUBLIC, Viewer
from ftk_core.field_bounds import bag, hidden, number, one_of, row
from ftk_core.games.for_the_king import scoring
from ftk_core.games.for_the_king.cards import (
    CARDS,
    GOLD_CARD_COUNTS,
    GOLD_VALUES,
    MAX_SEATS,
    MAX_TURNS,
    OFFICES,
    CardId,
    Cards,
    HandSize,
    Office,
    SeatNumber,
    secondary_duty,
)
from ftk_core.games.for_the_king.king_cards import MAX_DUTY, MIN_DUTY
from ftk_core.games.for_the_king.table_state import (
    Amount,
    AuctionResult,
    Phase,
    Step,
    TableState,
    sorted_cards,
    step,
    to_act,
)

BY_SEAT, BY_OFFICE = row(MAX_SEATS), row(len(OFFICES))
Face = Annotated[str, one_of(*CARDS, *(f"GOLD-{value}" for value in GOLD_VALUES))]
Area = Annotated[str, one_of("middle", "favor", "self")]
Sealed = Annotated[tuple[str, ...] | None, hidden()]


class OfficeDutyPoints(msgspec.Struct, frozen=True):
    """An office, with the points that it gives to the strongest and the second strongest player there."""

    office: Office
    primary: Annotated[int, number(MIN_DUTY, MAX_DUTY)]
    secondary: Annotated[int, number(0, MAX_DUTY // 2)]


class PlayerView(msgspec.Struct, frozen=True, kw_only=True):
    """Game state as one viewer sees it. Hidden cards are None or only counted."""

    seats: Annotated[int, number(2, MAX_SEATS)]
    viewer: SeatNumber
    """Seat of the viewer, or `PUBLIC` or `OMNISCIENT`."""
    phase: Phase
    step: Step
    to_act: Annotated[tuple[SeatNumber, ...], row(1)]
    duties: Annotated[tuple[OfficeDutyPoints, ...], BY_OFFICE]
    deck: Annotated[int, number(0, len(CARDS))]
    """Number of cards left in the deck."""
    favor: Annotated[int, number(0, MAX_TURNS)]
    """Number of cards on the Favor deck."""
    deck_order: Sealed
    """The deck, top card first; None except for the omniscient viewer."""
    favor_order: Sealed
    """The Favor deck, top card first; None except for the omniscient viewer."""
    removed: Sealed
    """The cards removed unseen at the start; None except for the omniscient viewer."""
    adviser: SeatNumber
    drawn: CardId | None
    """The card just drawn, if the viewer may see it."""
    middle: Annotated[tuple[CardId, ...], row(MAX_SEATS - 1)]
    open_areas: Annotated[tuple[Area, ...], bag(1)]
    """Areas that the Adviser can still use this turn."""
    hands: Annotated[tuple[Cards | None, ...], BY_SEAT]
    """By seat: the cards, or None if hidden."""
    hand_sizes: Annotated[tuple[HandSize, ...], BY_SEAT]
    known: Annotated[tuple[Cards, ...], BY_SEAT]
    """By seat: cards that entered the hand in view of all and have not left it in view of all."""
    favored: Annotated[tuple[Cards | None, ...], BY_SEAT]
    """By seat: the cards it placed on the Favor deck, or None if hidden."""
    lost: Annotated[tuple[Cards | None, ...], BY_SEAT]
    """By seat: the cards it discarded face down, or None if hidden."""
    lost_sizes: Annotated[tuple[HandSize, ...], BY_SEAT]
    discards: Annotated[tuple[Face, ...], bag(max(GOLD_CARD_COUNTS.values()))]
    """Cards discarded face up: paid gold (as ``GOLD-2``, because equal values look alike), unsold and King cards."""
    king: CardId | None
    king_seat: SeatNumber | None
    first: SeatNumber
    lot: CardId | None
    bid: Amount
    leader: SeatNumber | None
    passed: Annotated[tuple[bool, ...], BY_SEAT]
    excluded: Annotated[tuple[bool, ...], BY_SEAT]
    sales: Annotated[tuple[AuctionResult, ...], row(MAX_TURNS)]
    """Finished auctions: card, buyer and price."""
    paying: bool
    paid: HandSize
    """Number of cards that the winner has discarded so far to pay for the current card."""
    points: Annotated[tuple[Annotated[int, number(0, MAX_DUTY * len(OFFICES))], ...], BY_SEAT]
    """Victory points by seat; empty before the end. The omniscient viewer sees the points as if the game ended now."""
    primaries: Annotated[tuple[SeatNumber | None, ...], BY_OFFICE]
    secondaries: Annotated[tuple[SeatNumber | None, ...], BY_OFFICE]


def view(table: TableState, viewer: Viewer) -> PlayerView:
    """Return the game state as a viewer sees it: a player's seat, the public or the omniscient viewer."""
    return PlayerView(
        seats=table.seats,
        viewer=viewer,
        phase=table.phase,
        step=step(table),
        to_act=to_act(table),
        duties=_board(table.duties, table.seats),
        deck=len(table.deck),
        favor=len(table.favor),
        deck_order=table.deck if viewer == OMNISCIENT else None,
        favor_order=table.favor if viewer == OMNISCIENT else None,
        removed=sorted_cards(table.removed) if viewer == OMNISCIENT else None,
        adviser=table.adviser,
        drawn=table.drawn if viewer in (table.adviser, OMNISCIENT) else None,
        middle=table.middle,
        open_areas=_open_areas(table),
        hands=_owned(table.hands, OMNISCIENT if table.phase == "over" else viewer),
        hand_sizes=tuple(map(len, table.hands)),
        known=table.known,
        favored=_owned(table.favored, viewer),
        lost=_owned(table.lost, viewer),
        lost_sizes=tuple(map(len, table.lost)),
        discards=table.discards if viewer == OMNISCIENT else _faces(table.discards, table.coins),
        king=table.king,
        king_seat=table.king_seat if table.king else None,
        first=table.first,
        lot=table.lot,
        bid=table.bid,
        leader=table.leader if table.leader >= 0 else None,
        passed=table.passed,
        excluded=table.excluded,
        sales=table.sales,
        paying=table.paying,
        paid=len(table.paid),
        points=_points(table, viewer),
        primaries=table.primaries,
        secondaries=table.secondaries,
    )


def _points(table: TableState, viewer: Viewer) -> tuple[int, ...]:
    return (
        scoring.victory_points(table, *scoring.award_duties(table))
        if viewer == OMNISCIENT or table.phase == "over"
        else ()
    )


@lru_cache(1024)
def _faces(discards: tuple[str, ...], coins: tuple[str, ...]) -> tuple[str, ...]:
    """Return the discarded cards as players see them: paid gold cards show only their value."""
    # Gold cards of equal value look alike, so paid gold cards are named by value only, such as ``GOLD-2``.
    return tuple(f"GOLD-{CARDS[card].value}" if card in coins else card for card in discards)


@lru_cache(1024)
def _board(duties: tuple[int, ...], seats: int) -> tuple[OfficeDutyPoints, ...]:
    """Return the offices in play with their points for first and second place."""
    offices = zip(OFFICES, duties, strict=False)
    return tuple(OfficeDutyPoints(office, value, secondary_duty(value, seats)) for office, value in offices)


def _owned(piles: tuple[tuple[str, ...], ...], viewer: Viewer) -> tuple[tuple[str, ...] | None, ...]:
    """Return the sorted cards of each seat; None for seats whose cards the viewer may not see."""
    if viewer == PUBLIC:
        return (None,) * len(piles)
    return tuple(sorted_cards(cards) if viewer in (seat, OMNISCIENT) else None for seat, cards in enumerate(piles))


def _open_areas(table: TableState) -> tuple[str, ...]:
    if table.phase != "influence":
        return ()
    full = {"middle": table.shown == table.seats - 1, "favor": table.stashed, "self": table.kept}
    return tuple(area for area, is_full in full.items() if not is_full)
