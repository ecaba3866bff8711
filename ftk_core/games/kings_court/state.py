"""Everything there is to know about a court."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ftk_core.bounds import number
from ftk_core.games.kings_court.box import GUARD, MOST_SEATS, NONE, THIEF, URCHIN, Chair, cards_for, gifts_for
from ftk_core.games.kings_court.claims import Take
from ftk_core.games.kings_court.facts import Asked, Said, SaidNothing

Step = Literal["hide", "dismiss", "help", "king", "answer", "floor", "halt", "princess", "none"]
QUESTIONS_PER_SUBJECT = 4
"""The King has so many questions for each subject there is."""
ASKS_EACH = 8
"""No subject is asked more often than this."""
STATEMENTS = 3
"""How often each subject may speak without being asked."""
MOST_QUESTIONS = QUESTIONS_PER_SUBJECT * (MOST_SEATS - 1)
MOST_SAID = 2 * MOST_QUESTIONS + STATEMENTS * (MOST_SEATS - 1)
"""Every question has an answer; an announcement is made in the place of a question."""
Utterance = Asked | Said | SaidNothing


class Box(msgspec.Struct, frozen=True):
    """What is in the box."""

    diamonds: int
    cards: tuple[str, ...]
    fake: bool

    @property
    def empty(self) -> bool:
        """Whether there is nothing to take (K3)."""
        return not (self.diamonds or self.cards or self.fake)


class Accusation(msgspec.Struct, frozen=True):
    """The King ordered a subject to empty its pockets."""

    seat: Chair
    after: Annotated[int, number(0, MOST_SAID)]
    """How much had been asked and said by then."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The whole state; secrets included."""

    seats: int
    cards: tuple[str, ...]
    """The character cards in play, known to all."""
    fake: bool
    """Whether the fake diamond is in play."""
    gifts: int
    """Kings Gifts left."""
    box: Box
    hidden: int | None = None
    at: int = 0
    """Who has the box; 0 is the King."""
    looked: bool = False
    """Whether the seat with the box has looked into it."""
    considered: bool = False
    """Whether the first player has dismissed a card, or none."""
    dismissed: str | None = None
    arrivals: tuple[Box | None, ...] = ()
    """By seat: what the box held when it came; the King's is what came back."""
    takes: tuple[Take | None, ...] = ()
    """By seat: None before it helped itself, for the King, and for whoever fumbled."""
    fumbled: tuple[bool, ...] = ()
    exiled: tuple[bool, ...] = ()
    revealed: tuple[bool, ...] = ()
    """By seat: whether the whole take is public."""
    fake_shown: tuple[bool, ...] = ()
    recovered: int = 0
    questions: int = 0
    """Questions and announcements the King has left."""
    asked: tuple[int, ...] = ()
    """By seat: how often it was asked."""
    statements: tuple[int, ...] = ()
    """By seat: how often it may still speak without being asked."""
    answering: Asked | None = None
    """The question that waits for its answer."""
    floor: tuple[int, ...] = ()
    """The seats that may speak now and have not yet."""
    accused: int | None = None
    accusations: tuple[Accusation, ...] = ()
    window: tuple[int, ...] = ()
    """The seats that may still cry HAULT."""
    shout: int | None = None
    """The Guard who did."""
    tied: tuple[int, ...] = ()
    """Between whom the Princess chooses."""
    said: tuple[Utterance, ...] = ()
    """Everything asked and said, in order."""
    ending: str = ""
    winners: tuple[int, ...] = ()


def bare(seats: int, cards: tuple[str, ...] | None = None, *, fake: bool = False, gifts: int | None = None) -> Table:
    """Return a court before the theft, with the usual contents or others (see `box.check_box`)."""
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
    """Return what a seat is by its take."""
    take = table.takes[seat]
    if seat == 0:
        return "king"
    if take is None:
        return NONE
    if take.card:
        return take.card
    return THIEF if take.diamonds else URCHIN


def stolen(table: Table) -> int:
    """Return how many diamonds were taken; known to the King once the box is back."""
    return sum([take.diamonds for take in table.takes if take])


def subjects(table: Table) -> list[int]:
    """Return the subjects who may speak: all but the King and the exiled."""
    return [seat for seat in range(1, table.seats) if not table.exiled[seat]]


def targets(table: Table) -> list[int]:
    """Return whom the King may accuse (K10)."""
    return [seat for seat in subjects(table) if not table.revealed[seat]]


def step(table: Table) -> Step:
    """Return what kind of choice is due."""
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
    """Return the seats that owe a choice, lowest first."""
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
    """Tell whether accusations are followed by a window for HAULT; all know what the box was filled with."""
    return GUARD in table.cards
