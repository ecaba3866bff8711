"""Complete state of a court."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ftk_core.bounds import number
from ftk_core.games.kings_court.box import GUARD, MOST_SEATS, NONE, THIEF, URCHIN, Chair, cards_for, gifts_for
from ftk_core.games.kings_court.claims import Take
from ftk_core.games.kings_court.facts import Asked, Said, SaidNothing

Step = Literal["hide", "dismiss", "help", "king", "answer", "floor", "halt", "princess", "none"]
QUESTIONS_PER_SUBJECT = 4
"""Number of the King's questions per subject in the game."""
ASKS_EACH = 8
"""Maximum number of questions to one subject."""
STATEMENTS = 3
"""Number of statements that each subject can make without being asked."""
MOST_QUESTIONS = QUESTIONS_PER_SUBJECT * (MOST_SEATS - 1)
MOST_SAID = 2 * MOST_QUESTIONS + STATEMENTS * (MOST_SEATS - 1)
"""Maximum number of questions, answers and statements. Every question has an answer; an announcement replaces a
question."""
Utterance = Asked | Said | SaidNothing


class Box(msgspec.Struct, frozen=True):
    """Contents of the box."""

    diamonds: int
    cards: tuple[str, ...]
    fake: bool

    @property
    def empty(self) -> bool:
        """True if nothing can be taken (K3)."""
        return not (self.diamonds or self.cards or self.fake)


class Accusation(msgspec.Struct, frozen=True):
    """Order of the King to a subject to empty its pockets."""

    seat: Chair
    after: Annotated[int, number(0, MOST_SAID)]
    """Number of questions and statements made before it."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Complete state, including secrets."""

    seats: int
    cards: tuple[str, ...]
    """Character cards in play, known to all."""
    fake: bool
    """True if the fake diamond is in play."""
    gifts: int
    """Number of Kings Gifts left."""
    box: Box
    hidden: int | None = None
    at: int = 0
    """Seat with the box; 0 is the King."""
    looked: bool = False
    """True if the seat with the box has looked into it."""
    considered: bool = False
    """True if the first player has dismissed a card or decided not to."""
    dismissed: str | None = None
    arrivals: tuple[Box | None, ...] = ()
    """By seat: contents of the box when it arrived; the King's are those that came back."""
    takes: tuple[Take | None, ...] = ()
    """By seat: what it took; None before that, for the King, and for a seat that fumbled."""
    fumbled: tuple[bool, ...] = ()
    exiled: tuple[bool, ...] = ()
    revealed: tuple[bool, ...] = ()
    """By seat: true if everything it took is public."""
    fake_shown: tuple[bool, ...] = ()
    recovered: int = 0
    questions: int = 0
    """Number of questions and announcements that the King has left."""
    asked: tuple[int, ...] = ()
    """By seat: number of questions it was asked."""
    statements: tuple[int, ...] = ()
    """By seat: number of statements it can still make without being asked."""
    answering: Asked | None = None
    """Question that awaits its answer."""
    floor: tuple[int, ...] = ()
    """Seats that may speak now and have not yet."""
    accused: int | None = None
    accusations: tuple[Accusation, ...] = ()
    window: tuple[int, ...] = ()
    """Seats that can still cry HAULT."""
    shout: int | None = None
    """Seat of the Guard who cried HAULT."""
    tied: tuple[int, ...] = ()
    """Seats between whom the Princess chooses."""
    said: tuple[Utterance, ...] = ()
    """All questions and statements in order."""
    ending: str = ""
    winners: tuple[int, ...] = ()


def bare(seats: int, cards: tuple[str, ...] | None = None, *, fake: bool = False, gifts: int | None = None) -> Table:
    """Return a court before the theft, with default or custom contents (see `box.check_box`)."""
    cards = cards_for(seats) if cards is None else cards
    return Table(
        seats=seats,
        cards=cards,
        fake=fake,
        gifts=gifts_for(seats) if gifts is None else gifts,
        box=Box(13, cards, fake),
        arrivals=(None,) * seats,
        takes=(None,) * seats,
        fumbled=(False,) * seats,
        exiled=(False,) * seats,
        revealed=(False,) * seats,
        fake_shown=(False,) * seats,
        questions=QUESTIONS_PER_SUBJECT * (seats - 1),
        asked=(0,) * seats,
        statements=(0,) + (STATEMENTS,) * (seats - 1),
    )


def role_of(table: Table, seat: int) -> str:
    """Return the role of a seat, which follows from what it took."""
    take = table.takes[seat]
    if seat == 0:
        return "king"
    if take is None:
        return NONE
    if take.card:
        return take.card
    return THIEF if take.diamonds else URCHIN


def stolen(table: Table) -> int:
    """Return the number of diamonds taken, known to the King once the box is back."""
    return sum([take.diamonds for take in table.takes if take])


def subjects(table: Table) -> list[int]:
    """Return the subjects who may speak: all except the King and the exiled."""
    return [seat for seat in range(1, table.seats) if not table.exiled[seat]]


def targets(table: Table) -> list[int]:
    """Return the seats that the King may accuse (K10)."""
    return [seat for seat in subjects(table) if not table.revealed[seat]]


def step(table: Table) -> Step:
    """Return the kind of choice that is due."""
    if table.ending:
        return "none"
    if table.hidden is None:
        return "hide"
    return _theft_step(table) if table.at or table.arrivals[0] is None else _court_step(table)


def _theft_step(table: Table) -> Step:
    if not table.at or not table.looked:
        return "none"
    return "dismiss" if table.at == 1 and not table.considered else "help"


def _court_step(table: Table) -> Step:
    if table.answering:
        return "answer"
    if table.tied:
        return "princess"
    if table.window:
        return "halt"
    if table.accused is not None:
        return "none"
    return "floor" if table.floor else "king"


def to_act(table: Table) -> tuple[int, ...]:
    """Return the seats that must choose, lowest first."""
    match step(table):
        case "hide" | "king":
            return (0,)
        case "dismiss" | "help":
            return (table.at,)
        case "answer":
            return (table.answering.seat,) if table.answering else ()
        case "princess":
            return (table.accused or 0,)
        case "floor":
            return table.floor
        case "halt":
            return table.window
        case "none":
            return ()


def guard_in_play(table: Table) -> bool:
    """Return whether HAULT is possible after accusations; everybody knows the original contents of the box."""
    return GUARD in table.cards
