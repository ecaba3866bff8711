"""View of a table: everything one viewer may know."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

import msgspec

from ftk_core.bounds import bag, hidden, number, one_of, row
from ftk_core.facts import OMNISCIENT, PUBLIC, Viewer
from ftk_core.games.for_the_king import scoring
from ftk_core.games.for_the_king.box import (
    CARDS,
    GOLD_EACH,
    GOLD_VALUES,
    MOST_SEATS,
    MOST_TURNS,
    OFFICES,
    CardId,
    Cards,
    Chair,
    Held,
    Office,
    secondary,
)
from ftk_core.games.for_the_king.kings import HIGHEST, LOWEST
from ftk_core.games.for_the_king.state import Amount, Phase, Sale, Step, Table, sorted_cards, step, to_act

BY_SEAT, BY_OFFICE = row(MOST_SEATS), row(len(OFFICES))
Face = Annotated[str, one_of(*CARDS, *(f"GOLD-{value}" for value in GOLD_VALUES))]
Area = Annotated[str, one_of("middle", "favor", "self")]
Sealed = Annotated[tuple[str, ...] | None, hidden()]


class Duty(msgspec.Struct, frozen=True):
    """Office on the board."""

    office: Office
    primary: Annotated[int, number(LOWEST, HIGHEST)]
    secondary: Annotated[int, number(0, HIGHEST // 2)]


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """View of the table. Hidden values are None or only counted."""

    seats: Annotated[int, number(2, MOST_SEATS)]
    viewer: Chair
    """Seat of the viewer, or `PUBLIC` or `OMNISCIENT`."""
    phase: Phase
    step: Step
    to_act: Annotated[tuple[Chair, ...], row(1)]
    duties: Annotated[tuple[Duty, ...], BY_OFFICE]
    deck: Annotated[int, number(0, len(CARDS))]
    """Number of cards left in the deck."""
    favor: Annotated[int, number(0, MOST_TURNS)]
    """Number of cards on the Favor deck."""
    deck_order: Sealed
    """The deck, top card first; None except for the omniscient viewer."""
    favor_order: Sealed
    """The Favor deck, top card first; None except for the omniscient viewer."""
    removed: Sealed
    """The cards removed unseen; None except for the omniscient viewer."""
    adviser: Chair
    drawn: CardId | None
    """The card just drawn, if the viewer may see it."""
    middle: Annotated[tuple[CardId, ...], row(MOST_SEATS - 1)]
    open_areas: Annotated[tuple[Area, ...], bag(1)]
    """Areas that the Adviser can still use this turn."""
    hands: Annotated[tuple[Cards | None, ...], BY_SEAT]
    """By seat: the cards, or None if hidden."""
    hand_sizes: Annotated[tuple[Held, ...], BY_SEAT]
    known: Annotated[tuple[Cards, ...], BY_SEAT]
    """By seat: cards that entered the hand openly and have not left it openly."""
    favored: Annotated[tuple[Cards | None, ...], BY_SEAT]
    """By seat: the cards it placed on the Favor deck, or None if hidden."""
    lost: Annotated[tuple[Cards | None, ...], BY_SEAT]
    """By seat: the cards it discarded face down, or None if hidden."""
    lost_sizes: Annotated[tuple[Held, ...], BY_SEAT]
    discards: Annotated[tuple[Face, ...], bag(max(GOLD_EACH.values()))]
    """Face up: gold paid (``GOLD-2``, as cards of one value look alike), unsold cards, used Kings."""
    king: CardId | None
    king_seat: Chair | None
    first: Chair
    lot: CardId | None
    bid: Amount
    leader: Chair | None
    passed: Annotated[tuple[bool, ...], BY_SEAT]
    excluded: Annotated[tuple[bool, ...], BY_SEAT]
    sales: Annotated[tuple[Sale, ...], row(MOST_TURNS)]
    """Finished auctions: card, buyer and price."""
    paying: bool
    paid: Held
    """Number of cards that the winner has discarded for the current card."""
    points: Annotated[tuple[Annotated[int, number(0, HIGHEST * len(OFFICES))], ...], BY_SEAT]
    """Victory points by seat, once the council is named; for the omniscient viewer as if it were named now."""
    primaries: Annotated[tuple[Chair | None, ...], BY_OFFICE]
    secondaries: Annotated[tuple[Chair | None, ...], BY_OFFICE]


def view(table: Table, viewer: Viewer) -> Sight:
    """Return the view of a seat, the public or the omniscient viewer."""
    return Sight(
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


def _points(table: Table, viewer: Viewer) -> tuple[int, ...]:
    return scoring.points(table, *scoring.council(table)) if viewer == OMNISCIENT or table.phase == "over" else ()


@lru_cache(1024)
def _faces(discards: tuple[str, ...], coins: tuple[str, ...]) -> tuple[str, ...]:
    """Return the discards, with coins by value only."""
    return tuple(f"GOLD-{CARDS[card].value}" if card in coins else card for card in discards)


@lru_cache(1024)
def _board(duties: tuple[int, ...], seats: int) -> tuple[Duty, ...]:
    """Return the offices in play with their duties."""
    offices = zip(OFFICES, duties, strict=False)
    return tuple(Duty(office, value, secondary(value, seats)) for office, value in offices)


def _owned(piles: tuple[tuple[str, ...], ...], viewer: Viewer) -> tuple[tuple[str, ...] | None, ...]:
    """Return each seat's cards sorted if the viewer owns them, else None."""
    if viewer == PUBLIC:
        return (None,) * len(piles)
    return tuple(sorted_cards(cards) if viewer in (seat, OMNISCIENT) else None for seat, cards in enumerate(piles))


def _open_areas(table: Table) -> tuple[str, ...]:
    if table.phase != "influence":
        return ()
    full = {"middle": table.shown == table.seats - 1, "favor": table.stashed, "self": table.kept}
    return tuple(area for area, is_full in full.items() if not is_full)
