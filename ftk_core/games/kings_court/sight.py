"""View of a court: everything one viewer may know."""

from __future__ import annotations

from typing import Annotated, get_args

import msgspec

from ftk_core.bounds import bag, number, one_of, row
from ftk_core.facts import OMNISCIENT, Viewer
from ftk_core.games.kings_court.box import MOST_SEATS, CardName, Chair, Diamonds, Handful, Hidden
from ftk_core.games.kings_court.claims import Take
from ftk_core.games.kings_court.facts import Asked, Ending
from ftk_core.games.kings_court.state import (
    ASKS_EACH,
    MOST_QUESTIONS,
    MOST_SAID,
    STATEMENTS,
    Accusation,
    Box,
    Step,
    Table,
    Utterance,
    step,
    stolen,
    to_act,
)

BY_SEAT = row(MOST_SEATS)
Chairs = Annotated[tuple[Chair, ...], bag(1)]
Flags = Annotated[tuple[bool, ...], BY_SEAT]


class Contents(msgspec.Struct, frozen=True):
    """Contents of the box as a seat saw them."""

    diamonds: Diamonds
    cards: Handful
    fake: bool


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """View of the court. Hidden values are None."""

    seats: Annotated[int, number(6, MOST_SEATS)]
    viewer: Chair
    step: Step
    to_act: Chairs
    cards: Handful
    """The character cards in play."""
    fake: bool
    """True if the fake diamond is in play."""
    gifts: Annotated[int, number(0, MOST_SEATS - 1)]
    at: Chair
    """Seat with the box; 0 is the King."""
    took_place: bool
    """True if the theft is over."""
    hidden: Hidden | None
    """Number of diamonds that the King removed from the box. Only the King knows it before the end."""
    dismissed: CardName | None
    """Card that the first player dismissed. Only that player knows it before the end."""
    stolen: Diamonds | None
    """Number of diamonds taken. Only the King knows it before the end."""
    recovered: Diamonds
    arrivals: Annotated[tuple[Contents | None, ...], BY_SEAT]
    """By seat: contents of the box when it arrived; the King's are those that came back. None if hidden."""
    takes: Annotated[tuple[Take | None, ...], BY_SEAT]
    """By seat: what it took, if it is the viewer's own or was revealed."""
    taken: Flags
    """By seat: true if it has taken its share."""
    exiled: Flags
    fumbled: Flags
    """By seat: true if it broke the rules of taking."""
    revealed: Flags
    fake_shown: Flags
    questions: Annotated[int, number(0, MOST_QUESTIONS)]
    asked: Annotated[tuple[Annotated[int, number(0, ASKS_EACH)], ...], BY_SEAT]
    statements: Annotated[tuple[Annotated[int, number(0, STATEMENTS)], ...], BY_SEAT]
    answering: Asked | None
    accused: Chair | None
    accusations: Annotated[tuple[Accusation, ...], BY_SEAT]
    """All accusations in order: each subject once, and again after showing the fake."""
    said: Annotated[tuple[Utterance, ...], row(MOST_SAID)]
    ending: Annotated[str, one_of("", *get_args(Ending))]
    winners: Chairs


def view(table: Table, viewer: Viewer) -> Sight:
    """Return the view of a seat, the public or the omniscient viewer."""
    eyes = OMNISCIENT if table.ending else viewer
    back = table.arrivals[0] is not None
    return Sight(
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
        stolen=stolen(table) if back and eyes in (0, OMNISCIENT) else None,
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


def _contents(box: Box | None) -> Contents | None:
    return None if box is None else Contents(box.diamonds, box.cards, box.fake)
