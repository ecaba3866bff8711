"""What a viewer may know of a court."""

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
    """What a seat saw in the box."""

    diamonds: Diamonds
    cards: Handful
    fake: bool


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """A view of the court; what is hidden is None."""

    seats: Annotated[int, number(6, MOST_SEATS)]
    viewer: Chair
    step: Step
    to_act: Chairs
    cards: Handful
    """The character cards in play."""
    fake: bool
    """Whether the fake diamond is in play."""
    gifts: Annotated[int, number(0, MOST_SEATS - 1)]
    at: Chair
    """Who has the box; 0 is the King."""
    took_place: bool
    """Whether the theft is over."""
    hidden: Hidden | None
    """Diamonds the King kept out of the box: the King's alone until the end."""
    dismissed: CardName | None
    """The first player's alone until the end."""
    stolen: Diamonds | None
    """How many diamonds were taken: the King's alone until the end."""
    recovered: Diamonds
    arrivals: Annotated[tuple[Contents | None, ...], BY_SEAT]
    """By seat: what it saw in the box; the King's is what came back. None where hidden."""
    takes: Annotated[tuple[Take | None, ...], BY_SEAT]
    """By seat: one's own, and what was revealed."""
    taken: Flags
    """By seat: whether it has helped itself."""
    exiled: Flags
    fumbled: Flags
    """By seat: whether it broke the rules of helping oneself."""
    revealed: Flags
    fake_shown: Flags
    questions: Annotated[int, number(0, MOST_QUESTIONS)]
    asked: Annotated[tuple[Annotated[int, number(0, ASKS_EACH)], ...], BY_SEAT]
    statements: Annotated[tuple[Annotated[int, number(0, STATEMENTS)], ...], BY_SEAT]
    answering: Asked | None
    accused: Chair | None
    accusations: Annotated[tuple[Accusation, ...], BY_SEAT]
    """All so far, in order: each subject once, and once more whoever showed the fake."""
    said: Annotated[tuple[Utterance, ...], row(MOST_SAID)]
    ending: Annotated[str, one_of("", *get_args(Ending))]
    winners: Chairs


def view(table: Table, viewer: Viewer) -> Sight:
    """Return the court as a seat, the public or the omniscient may see it."""
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
