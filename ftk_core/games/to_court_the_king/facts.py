"""Facts and actions of To Court the King. Dice are identified by their faces."""

from __future__ import annotations

from ftk_core.facts import Action, Fact
from ftk_core.games.to_court_the_king.box import Dice, Name


class RoundBegan(Fact, frozen=True):
    """A round began."""

    round: int
    """Round number, from 1."""
    seat: int


class FinalBegan(Fact, frozen=True):
    """The final round began."""

    round: int
    seat: int
    """Seat that rolls first."""


class DiceRolled(Fact, frozen=True):
    """A seat rolled all its active dice; at the start of its turn these are all its dice."""

    seat: int
    faces: tuple[int, ...]
    opening: bool
    """True if this began the seat's turn."""


class CardUsed(Fact, frozen=True):
    """A seat began to use a character."""

    seat: int
    card: str


class DiceChanged(Fact, frozen=True):
    """A character changed active dice."""

    seat: int
    card: str
    before: tuple[int, ...]
    """Dice before the change; empty if a die was added."""
    after: tuple[int, ...]


class DiceSetAside(Fact, frozen=True):
    """A seat set active dice aside."""

    seat: int
    faces: tuple[int, ...]


class RollingEnded(Fact, frozen=True):
    """A seat has no active dice left and adds no more."""

    seat: int
    faces: tuple[int, ...]
    """The dice result."""


class CardAcquired(Fact, frozen=True):
    """A seat took a character, or turned its Fool into a Charlatan."""

    seat: int
    card: str


class NothingAcquired(Fact, frozen=True):
    """A seat took no character."""

    seat: int


class KingClaimed(Fact, frozen=True):
    """A seat took the King and the Queen: this is the last round before the final one."""

    seat: int
    count: int
    value: int


class FinalRolled(Fact, frozen=True):
    """A seat rolled its result in the final round."""

    seat: int
    count: int
    value: int
    ahead: bool
    """True if the seat now holds the King card."""


class Conceded(Fact, frozen=True):
    """A seat conceded the final round."""

    seat: int


class CourtDecided(Fact, frozen=True):
    """The game ended."""

    seat: int
    """The winner."""


AnyFact = (
    RoundBegan | FinalBegan | DiceRolled | CardUsed | DiceChanged | DiceSetAside | RollingEnded | CardAcquired
    | NothingAcquired | KingClaimed | FinalRolled | Conceded | CourtDecided
)  # fmt: skip


class SetAside(Action, frozen=True):
    """Set active dice aside."""

    faces: Dice
    """Faces in ascending order."""


class Roll(Action, frozen=True):
    """Roll all active dice; at the start of the final turn, begin it."""


class Use(Action, frozen=True):
    """Use a character; if it needs a target, that is the next choice."""

    card: Name


class Aim(Action, frozen=True):
    """Choose the effect of the character in use."""

    before: Dice
    """Dice to change, in ascending order; empty to add one."""
    after: Dice = ()
    """New faces; empty to re-roll."""


class Finish(Action, frozen=True):
    """Add no more dice."""


class Acquire(Action, frozen=True):
    """Take a character."""

    card: Name


class AcquireNothing(Action, frozen=True):
    """Take no character."""


class Concede(Action, frozen=True):
    """Concede the final round."""


AnyAction = SetAside | Roll | Use | Aim | Finish | Acquire | AcquireNothing | Concede
