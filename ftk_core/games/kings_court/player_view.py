"""View of Kings Court: everything that one viewer may know of the table."""

from __future__ import annotations

from typing import Annotated, get_args

import msgspec

from ftk_core.facts import OMNISCIENT, Viewer
from ftk_core.field_bounds import bag, number, one_of, row
from ftk_core.games.kings_court.facts import Ending, PlayerQuestioned
from ftk_core.games.kings_court.player_claims import ItemsTakenFromBox
from ftk_core.games.kings_court.roles_and_options import (
    MAX_SEATS,
    CardName,
    CardSet,
    Diamonds,
    HiddenDiamonds,
    SeatNumber,
)
from ftk_core.games.kings_court.table_state import (
    MAX_QUESTIONS,
    MAX_QUESTIONS_PER_SEAT,
    MAX_UTTERANCES,
    STATEMENTS_PER_SUBJECT,
    AccusationRecord,
    BoxContents,
    Step,
    TableState,
    Utterance,
    count_stolen,
    step,
    to_act,
)

BY_SEAT = row(MAX_SEATS)
Chairs = Annotated[tuple[SeatNumber, ...], bag(1)]
Flags = Annotated[tuple[bool, ...], BY_SEAT]


class SeenBoxContents(msgspec.Struct, frozen=True):
    """Contents of the box when a player looked into it."""

    diamonds: Diamonds
    cards: CardSet
    fake: bool


class PlayerView(msgspec.Struct, frozen=True, kw_only=True):
    """View of the table for one viewer. Hidden values are None."""

    seats: Annotated[int, number(6, MAX_SEATS)]
    viewer: SeatNumber
    step: Step
    to_act: Chairs
    cards: CardSet
    """The character cards in play."""
    fake: bool
    """True if the fake diamond is in play."""
    gifts: Annotated[int, number(0, MAX_SEATS - 1)]
    at: SeatNumber
    """Seat with the box; 0 is the King."""
    took_place: bool
    """True if the box has gone round and is back with the King."""
    hidden: HiddenDiamonds | None
    """Number of diamonds that the King removed from the box. Only the King knows it before the end."""
    dismissed: CardName | None
    """Card that the first player turned over (dismissed). Only that player knows it before the end."""
    stolen: Diamonds | None
    """Number of diamonds that the seats took. Only the King knows it before the end."""
    recovered: Diamonds
    arrivals: Annotated[tuple[SeenBoxContents | None, ...], BY_SEAT]
    """By seat: contents of the box when it came to the seat; for the King, when it came back. None if hidden."""
    takes: Annotated[tuple[ItemsTakenFromBox | None, ...], BY_SEAT]
    """By seat: diamonds and card that the seat took, if it is the viewer's own or they were revealed; else None."""
    taken: Flags
    """By seat: true if it has had its turn with the box."""
    exiled: Flags
    fumbled: Flags
    """By seat: true if it broke the rules of taking from the box."""
    revealed: Flags
    fake_shown: Flags
    questions: Annotated[int, number(0, MAX_QUESTIONS)]
    asked: Annotated[tuple[Annotated[int, number(0, MAX_QUESTIONS_PER_SEAT)], ...], BY_SEAT]
    statements: Annotated[tuple[Annotated[int, number(0, STATEMENTS_PER_SUBJECT)], ...], BY_SEAT]
    answering: PlayerQuestioned | None
    accused: SeatNumber | None
    accusations: Annotated[tuple[AccusationRecord, ...], BY_SEAT]
    """All accusations in order. A subject can be accused once, and again after it has shown the fake diamond."""
    said: Annotated[tuple[Utterance, ...], row(MAX_UTTERANCES)]
    ending: Annotated[str, one_of("", *get_args(Ending))]
    winners: Chairs


def view(table: TableState, viewer: Viewer) -> PlayerView:
    """Return everything that a viewer (a seat, the public, or the omniscient viewer) may know."""
    eyes = OMNISCIENT if table.ending else viewer
    back = table.arrivals[0] is not None
    return PlayerView(
        seats=table.seats,
        viewer=viewer,
        step=step(table),
        to_act=to_act(table),
        cards=table.cards,
        fake=table.fake,
        gifts=table.gifts,
        at=table.at,
        took_place=back,
        hidden=table.hidden if eyes in (0, OMNISCIENT) else None,
        dismissed=table.dismissed if eyes in (1, OMNISCIENT) else None,
        stolen=count_stolen(table) if back and eyes in (0, OMNISCIENT) else None,
        recovered=table.recovered,
        arrivals=tuple(
            _contents(box) if eyes in (seat, OMNISCIENT) else None for seat, box in enumerate(table.arrivals)
        ),
        takes=tuple(
            take if eyes in (seat, OMNISCIENT) or table.revealed[seat] else None
            for seat, take in enumerate(table.takes)
        ),
        taken=tuple(bool(seat) and (take is not None or table.fumbled[seat]) for seat, take in enumerate(table.takes)),
        exiled=table.exiled,
        fumbled=table.fumbled,
        revealed=table.revealed,
        fake_shown=table.fake_shown,
        questions=table.questions,
        asked=table.asked,
        statements=table.statements,
        answering=table.answering,
        accused=table.accused,
        accusations=table.accusations,
        said=table.said,
        ending=table.ending,
        winners=table.winners,
    )


def _contents(box: BoxContents | None) -> SeenBoxContents | None:
    return None if box is None else SeenBoxContents(box.diamonds, box.cards, box.fake)
