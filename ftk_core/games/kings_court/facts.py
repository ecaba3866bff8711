"""Facts and actions of Kings Court."""

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
    """The King removed some diamonds from the box."""

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
    """The dismissed card; None if the player dismissed none."""


class ShareTaken(Fact, frozen=True):
    """A seat took something from the box, or pretended to."""

    seat: int
    diamonds: SecretNumber
    card: SecretCard
    fake: SecretFlag


class Fumbled(Fact, frozen=True):
    """A seat broke the rules of taking and is exiled (K6)."""

    seat: int


class Asked(Fact, frozen=True):
    """The King asked a subject a question."""

    seat: Chair
    topic: Topic
    about: Chair | None


class Said(Fact, frozen=True):
    """A seat made a claim."""

    seat: Chair
    claim: Claim


class SaidNothing(Fact, frozen=True):
    """A seat did not answer, or declined to speak."""

    seat: Chair
    knows: bool
    """False for "I do not know"."""


class Accused(Fact, frozen=True):
    """The King ordered a subject to empty its pockets."""

    seat: int


class StoodBy(Fact, frozen=True):
    """A seat did not stop the accusation."""

    seat: int


class Halted(Fact, frozen=True):
    """The Guard cried HAULT."""

    seat: int


class PrincessCourted(Fact, frozen=True):
    """The accused is the Princess, and several are equally rich: she must choose (K23)."""

    seat: int
    between: tuple[int, ...]


class FakeShown(Fact, frozen=True):
    """The accused showed the fake diamond and nothing else."""

    seat: int


class PocketsEmptied(Fact, frozen=True):
    """All that a subject took was revealed."""

    seat: int
    take: Take
    exiled: bool


class GiftGiven(Fact, frozen=True):
    """The King made a mistake and paid a gift for it."""

    seat: int


class Exiled(Fact, frozen=True):
    """A seat left the court."""

    seat: int


Ending = Literal["king", "usurper", "guard", "princess", "exile"]
"""Winner: the King; the Usurper, Guard or Princess who beat him; or the winners after his exile."""


class CourtClosed(Fact, frozen=True, kw_only=True):
    """The investigation ended and all secrets were revealed."""

    ending: Ending
    winners: tuple[int, ...]
    hidden: int
    dismissed: str | None
    takes: tuple[Take | None, ...]
    """By seat; None for the King and for a seat that fumbled."""


AnyFact = (
    DiamondsHidden | BoxReceived | BoxConsidered | ShareTaken | Fumbled | Asked | Said | SaidNothing | Accused
    | StoodBy | Halted | PrincessCourted | FakeShown | PocketsEmptied | GiftGiven | Exiled | CourtClosed
)  # fmt: skip


class Hide(Action, frozen=True):
    """Remove this many diamonds from the box."""

    count: Hidden


class Dismiss(Action, frozen=True):
    """Turn one card over, or none."""

    card: CardName | None = None


class Help(Action, frozen=True):
    """Take diamonds (with or without the fake), a card, the fake alone, or nothing."""

    diamonds: Diamonds = 0
    card: CardName | None = None
    fake: bool = False


class Fumble(Action, frozen=True):
    """Break the rules of taking: played for a seat that does not answer."""


class Ask(Action, frozen=True):
    """Ask a subject a question."""

    seat: Chair
    topic: Topic
    about: Chair | None = None


class Say(Action, frozen=True):
    """Make a claim."""

    claim: Claim


class DontKnow(Action, frozen=True):
    """Claim not to know."""


class Silence(Action, frozen=True):
    """Say nothing."""


class Accuse(Action, frozen=True):
    """Order a subject to empty its pockets."""

    seat: Chair


class Stay(Action, frozen=True):
    """Do not stop the accusation."""


class Halt(Action, frozen=True):
    """Cry HAULT; it only has an effect for the Guard."""


class Choose(Action, frozen=True):
    """As the Princess, choose the seat that wins with her."""

    seat: Chair


AnyAction = Hide | Dismiss | Help | Fumble | Ask | Say | DontKnow | Silence | Accuse | Stay | Halt | Choose
