"""What a viewer may know of a table."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from ftk_core.facts import OMNISCIENT, PUBLIC, Viewer
from ftk_core.games.for_the_king import scoring
from ftk_core.games.for_the_king.box import CARDS, OFFICES, secondary
from ftk_core.games.for_the_king.state import Phase, Sale, Step, Table, sorted_cards, step, to_act


class Duty(msgspec.Struct, frozen=True):
    """One office of the board."""

    office: str
    primary: int
    secondary: int


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """A view of the table; what is hidden is None or counted."""

    seats: int
    viewer: int
    """Whose eyes these are."""
    phase: Phase
    step: Step
    to_act: tuple[int, ...]
    duties: tuple[Duty, ...]
    deck: int
    """Cards left in the deck."""
    favor: int
    """Cards on the Favor deck."""
    deck_order: tuple[str, ...] | None
    """The deck, top first; None but for the omniscient."""
    favor_order: tuple[str, ...] | None
    """The Favor deck, top first; None but for the omniscient."""
    removed: tuple[str, ...] | None
    """The cards put back unseen; None but for the omniscient."""
    adviser: int
    drawn: str | None
    """The card just drawn, if the viewer may see it."""
    middle: tuple[str, ...]
    open_areas: tuple[str, ...]
    """Where the Adviser may still lay cards this turn."""
    hands: tuple[tuple[str, ...] | None, ...]
    """By seat: the cards, or None where they are hidden."""
    hand_sizes: tuple[int, ...]
    known: tuple[tuple[str, ...], ...]
    """By seat: cards that all saw going into the hand and nobody saw leaving it since."""
    favored: tuple[tuple[str, ...] | None, ...]
    """By seat: the cards it laid on the Favor deck, or None where they are hidden."""
    lost: tuple[tuple[str, ...] | None, ...]
    """By seat: the cards it discarded face down, or None where they are hidden."""
    lost_sizes: tuple[int, ...]
    discards: tuple[str, ...]
    """Face up: gold paid (``GOLD-2``, as cards of one value look alike), unsold cards, used Kings."""
    king: str | None
    king_seat: int | None
    first: int
    lot: str | None
    bid: int
    leader: int | None
    passed: tuple[bool, ...]
    excluded: tuple[bool, ...]
    sales: tuple[Sale, ...]
    """The auctions that are over: the card, who bought it, for how much."""
    paying: bool
    paid: int
    """How many cards the winner has discarded for the lot so far."""
    points: tuple[int, ...]
    """Victory points by seat, once the council is named; for the omniscient, as if it were named now."""
    primaries: tuple[int | None, ...]
    secondaries: tuple[int | None, ...]


def view(table: Table, viewer: Viewer) -> Sight:
    """Return the table as a seat, the public or the omniscient may see it."""
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
    """Return the discards, coins by their value only."""
    return tuple(f"GOLD-{CARDS[card].value}" if card in coins else card for card in discards)


@lru_cache(1024)
def _board(duties: tuple[int, ...], seats: int) -> tuple[Duty, ...]:
    """Return the offices in play with their duties."""
    offices = zip(OFFICES, duties, strict=False)
    return tuple(Duty(office, value, secondary(value, seats)) for office, value in offices)


def _owned(piles: tuple[tuple[str, ...], ...], viewer: Viewer) -> tuple[tuple[str, ...] | None, ...]:
    """Return each seat's cards, sorted, to the seat itself, and None to the others."""
    if viewer == PUBLIC:
        return (None,) * len(piles)
    return tuple(sorted_cards(cards) if viewer in (seat, OMNISCIENT) else None for seat, cards in enumerate(piles))


def _open_areas(table: Table) -> tuple[str, ...]:
    if table.phase != "influence":
        return ()
    full = {"middle": table.shown == table.seats - 1, "favor": table.stashed, "self": table.kept}
    return tuple(area for area, is_full in full.items() if not is_full)
