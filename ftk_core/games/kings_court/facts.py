"""What can happen in Kings Court, and what can be chosen."""

from __future__ import annotations

from typing import Annotated, Literal

from ftk_core.facts import Action, Fact, SeenBy
from ftk_core.games.kings_court.box import CardName, Chair, Diamonds, Hidden
from ftk_core.games.kings_court.claims import Claim, Take, Topic

SecretNumber = Annotated[int | None, SeenBy("seat")]
SecretCard = Annotated[str | None, SeenBy("seat")]
SecretCards = Annotated[tuple[str, ...] | None, SeenBy("seat")]
SecretFlag = Annotated[bool | None, SeenBy("seat")]


class DiamondsHidden(Fact, frozen=True):
    """The King kept some diamonds out of the box."""

    seat: int
    count: SecretNumber


class BoxReceived(Fact, frozen=True):
    """A seat looked into the box."""

    seat: int
    diamonds: SecretNumber
    cards: SecretCards
    fake: SecretFlag


class BoxConsidered(Fact, frozen=True):
    """The first player may have turned a card over (K2)."""

    seat: int
    card: SecretCard
    """What was dismissed; None for nothing."""


class ShareTaken(Fact, frozen=True):
    """A seat helped itself, or pretended to."""

    seat: int
    diamonds: SecretNumber
    card: SecretCard
    fake: SecretFlag


class Fumbled(Fact, frozen=True):
    """A seat broke the rules of helping oneself and is exiled (K6)."""

    seat: int


class Asked(Fact, frozen=True):
    """The King asked a subject."""

    seat: Chair
    topic: Topic
    about: Chair | None


class Said(Fact, frozen=True):
    """A seat claimed something."""

    seat: Chair
    claim: Claim


class SaidNothing(Fact, frozen=True):
    """A seat did not answer, or let the floor pass."""

    seat: Chair
    knows: bool
    """False for "I do not know"."""


class Accused(Fact, frozen=True):
    """The King ordered a subject to empty its pockets."""

    seat: int


class StoodBy(Fact, frozen=True):
    """A seat let the accusation go on."""

    seat: int


class Halted(Fact, frozen=True):
    """The Guard cried HAULT."""

    seat: int


class PrincessCourted(Fact, frozen=True):
    """The accused is the Princess, and several are equally rich: she chooses (K23)."""

    seat: int
    between: tuple[int, ...]


class FakeShown(Fact, frozen=True):
    """The accused showed the fake diamond, and nothing else."""

    seat: int


class PocketsEmptied(Fact, frozen=True):
    """A subject's whole take was revealed."""

    seat: int
    take: Take
    exiled: bool


class GiftGiven(Fact, frozen=True):
    """The King made a mistake and paid for it."""

    seat: int


class Exiled(Fact, frozen=True):
    """A seat left the court."""

    seat: int


Ending = Literal["king", "usurper", "guard", "princess", "exile"]
"""Who won: the King, whoever robbed him or was the Guard or the Princess, or those who saw the King exiled."""


class CourtClosed(Fact, frozen=True, kw_only=True):
    """The investigation ended and everybody showed everything."""

    ending: Ending
    winners: tuple[int, ...]
    hidden: int
    dismissed: str | None
    takes: tuple[Take | None, ...]
    """By seat; None for the King and for whoever fumbled."""


AnyFact = (
    DiamondsHidden | BoxReceived | BoxConsidered | ShareTaken | Fumbled | Asked | Said | SaidNothing | Accused
    | StoodBy | Halted | PrincessCourted | FakeShown | PocketsEmptied | GiftGiven | Exiled | CourtClosed
)  # fmt: skip


class Hide(Action, frozen=True):
    """Keep so many diamonds out of the box."""

    count: Hidden


class Dismiss(Action, frozen=True):
    """Turn a card over, or none."""

    card: CardName | None = None


class Help(Action, frozen=True):
    """Take diamonds (and the fake), a card, the fake alone, or nothing."""

    diamonds: Diamonds = 0
    card: CardName | None = None
    fake: bool = False


class Fumble(Action, frozen=True):
    """Break the rules of helping oneself: what is played for a silent seat."""


class Ask(Action, frozen=True):
    """Ask a subject."""

    seat: Chair
    topic: Topic
    about: Chair | None = None


class Say(Action, frozen=True):
    """Claim something."""

    claim: Claim


class DontKnow(Action, frozen=True):
    """Claim not to know."""


class Silence(Action, frozen=True):
    """Say nothing."""


class Accuse(Action, frozen=True):
    """Order a subject to empty its pockets."""

    seat: Chair


class Stay(Action, frozen=True):
    """Let the accusation go on."""


class Halt(Action, frozen=True):
    """Cry HAULT; only the Guard is heard."""


class Choose(Action, frozen=True):
    """As the Princess, choose who wins with you."""

    seat: Chair


AnyAction = Hide | Dismiss | Help | Fumble | Ask | Say | DontKnow | Silence | Accuse | Stay | Halt | Choose
