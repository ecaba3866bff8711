"""What a viewer may know of a court."""

from __future__ import annotations

import msgspec

from ftk_core.facts import OMNISCIENT, Viewer
from ftk_core.games.kings_court.claims import Take
from ftk_core.games.kings_court.facts import Asked
from ftk_core.games.kings_court.state import Accusation, Box, Step, Table, Utterance, step, stolen, to_act


class Contents(msgspec.Struct, frozen=True):
    """What a seat saw in the box."""

    diamonds: int
    cards: tuple[str, ...]
    fake: bool


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """A view of the court; what is hidden is None."""

    seats: int
    viewer: int
    step: Step
    to_act: tuple[int, ...]
    cards: tuple[str, ...]
    """The character cards in play."""
    fake: bool
    """Whether the fake diamond is in play."""
    gifts: int
    at: int
    """Who has the box; 0 is the King."""
    took_place: bool
    """Whether the theft is over."""
    hidden: int | None
    """Diamonds the King kept out of the box: the King's alone until the end."""
    dismissed: str | None
    """The first player's alone until the end."""
    stolen: int | None
    """How many diamonds were taken: the King's alone until the end."""
    recovered: int
    arrivals: tuple[Contents | None, ...]
    """By seat: what it saw in the box; the King's is what came back. None where hidden."""
    takes: tuple[Take | None, ...]
    """By seat: one's own, and what was revealed."""
    taken: tuple[bool, ...]
    """By seat: whether it has helped itself."""
    exiled: tuple[bool, ...]
    fumbled: tuple[bool, ...]
    """By seat: whether it broke the rules of helping oneself."""
    revealed: tuple[bool, ...]
    fake_shown: tuple[bool, ...]
    questions: int
    asked: tuple[int, ...]
    statements: tuple[int, ...]
    answering: Asked | None
    accused: int | None
    accusations: tuple[Accusation, ...]
    """All so far, in order."""
    said: tuple[Utterance, ...]
    ending: str
    winners: tuple[int, ...]


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
