"""Complete state of a match of Kings Court."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ftk_core.field_bounds import number
from ftk_core.games.kings_court.facts import ClaimMade, NothingSaid, PlayerQuestioned
from ftk_core.games.kings_court.player_claims import ItemsTakenFromBox
from ftk_core.games.kings_court.roles_and_options import (
    GUARD,
    MAX_SEATS,
    NONE,
    THIEF,
    URCHIN,
    SeatNumber,
    cards_for,
    gifts_for,
)

Step = Literal["hide", "dismiss", "help", "king", "answer", "floor", "halt", "princess", "none"]
QUESTIONS_PER_SUBJECT = 4
"""Number of questions that the King has in a game, for each subject (player other than the King)."""
MAX_QUESTIONS_PER_SEAT = 8
"""Maximum number of questions to one subject."""
STATEMENTS_PER_SUBJECT = 3
"""Number of statements that each subject can make without being asked."""
MAX_QUESTIONS = QUESTIONS_PER_SUBJECT * (MAX_SEATS - 1)
MAX_UTTERANCES = 2 * MAX_QUESTIONS + STATEMENTS_PER_SUBJECT * (MAX_SEATS - 1)
"""Maximum number of questions, answers and statements in a game. Every question has an answer, and the King can make
an announcement instead of a question."""
Utterance = PlayerQuestioned | ClaimMade | NothingSaid


class BoxContents(msgspec.Struct, frozen=True):
    """Contents of the box from which the players steal."""

    diamonds: int
    cards: tuple[str, ...]
    fake: bool

    @property
    def empty(self) -> bool:
        """True if the box holds nothing that a player can take."""
        return not (self.diamonds or self.cards or self.fake)


class AccusationRecord(msgspec.Struct, frozen=True):
    """Accusation of a subject by the King."""

    seat: SeatNumber
    after: Annotated[int, number(0, MAX_UTTERANCES)]
    """Number of questions, answers and statements before the accusation."""


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """Complete state of the table, including secrets."""

    seats: int
    cards: tuple[str, ...]
    """Character cards in play, known to all."""
    fake: bool
    """True if the fake diamond is in play."""
    gifts: int
    """Number of Kings Gifts left."""
    box: BoxContents
    hidden: int | None = None
    at: int = 0
    """Seat with the box; 0 is the King."""
    looked: bool = False
    """True if the seat with the box has looked into it."""
    considered: bool = False
    """True if the first player has turned a card over (dismissed it) or decided not to."""
    dismissed: str | None = None
    arrivals: tuple[BoxContents | None, ...] = ()
    """By seat: contents of the box when it came to the seat; for the King, when it came back. None before that."""
    takes: tuple[ItemsTakenFromBox | None, ...] = ()
    """By seat: the things that it took; None before its turn, for the King, and for a seat that broke the rules."""
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
    answering: PlayerQuestioned | None = None
    """Question that awaits its answer."""
    floor: tuple[int, ...] = ()
    """Seats that can make a statement now and have neither made nor declined one."""
    accused: int | None = None
    accusations: tuple[AccusationRecord, ...] = ()
    window: tuple[int, ...] = ()
    """Seats that are now asked whether they cry HAULT to stop the accusation."""
    shout: int | None = None
    """Seat of the Guard who cried HAULT."""
    tied: tuple[int, ...] = ()
    """Seats between whom the Princess chooses."""
    said: tuple[Utterance, ...] = ()
    """All questions, answers and statements in order."""
    ending: str = ""
    winners: tuple[int, ...] = ()


def new_court(
    seats: int, cards: tuple[str, ...] | None = None, *, fake: bool = False, gifts: int | None = None
) -> TableState:
    """Return the state at the start of the game. None for `cards` or `gifts` stands for the default."""
    # The options are not checked here: `box_contents.check_box` does that.
    cards = cards_for(seats) if cards is None else cards
    return TableState(
        seats=seats,
        cards=cards,
        fake=fake,
        gifts=gifts_for(seats) if gifts is None else gifts,
        box=BoxContents(13, cards, fake),
        arrivals=(None,) * seats,
        takes=(None,) * seats,
        fumbled=(False,) * seats,
        exiled=(False,) * seats,
        revealed=(False,) * seats,
        fake_shown=(False,) * seats,
        questions=QUESTIONS_PER_SUBJECT * (seats - 1),
        asked=(0,) * seats,
        statements=(0,) + (STATEMENTS_PER_SUBJECT,) * (seats - 1),
    )


def role_of(table: TableState, seat: int) -> str:
    """Return the role of a seat, which follows from what it took."""
    take = table.takes[seat]
    if seat == 0:
        return "king"
    if take is None:
        return NONE
    if take.card:
        return take.card
    return THIEF if take.diamonds else URCHIN


def count_stolen(table: TableState) -> int:
    """Return the number of stolen diamonds."""
    # The King knows it once the box is back.
    return sum([take.diamonds for take in table.takes if take])


def list_subjects(table: TableState) -> list[int]:
    """Return the seats of the subjects that may speak: all except the King and exiled seats."""
    return [seat for seat in range(1, table.seats) if not table.exiled[seat]]


def list_targets(table: TableState) -> list[int]:
    """Return the seats of the players whom the King may accuse."""
    return [seat for seat in list_subjects(table) if not table.revealed[seat]]


def step(table: TableState) -> Step:
    """Return the kind of choice that a player must make next.

    It is "none" if the next event needs no choice, or if the game is over.
    """
    if table.ending:
        return "none"
    if table.hidden is None:
        return "hide"
    return _theft_step(table) if table.at or table.arrivals[0] is None else _court_step(table)


def _theft_step(table: TableState) -> Step:
    if not table.at or not table.looked:
        return "none"
    return "dismiss" if table.at == 1 and not table.considered else "help"


def _court_step(table: TableState) -> Step:
    if table.answering:
        return "answer"
    if table.tied:
        return "princess"
    if table.window:
        return "halt"
    if table.accused is not None:
        return "none"
    return "floor" if table.floor else "king"


def to_act(table: TableState) -> tuple[int, ...]:
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


def is_guard_in_play(table: TableState) -> bool:
    """Return True if the box contained a Guard when the game began. All players know this."""
    return GUARD in table.cards
