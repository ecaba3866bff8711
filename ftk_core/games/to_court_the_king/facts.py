"""What can happen in To Court the King, and what can be chosen. Dice are named by what they show."""

from __future__ import annotations

from ftk_core.facts import Action, Fact
from ftk_core.games.to_court_the_king.box import Dice, Name


class RoundBegan(Fact, frozen=True):
    """A round began with its start player."""

    round: int
    """Counts from 1."""
    seat: int


class FinalBegan(Fact, frozen=True):
    """The last roll-off began."""

    round: int
    seat: int
    """Who rolls first."""


class DiceRolled(Fact, frozen=True):
    """A seat rolled all its active dice; at the start of its turn these are all its dice."""

    seat: int
    faces: tuple[int, ...]
    opening: bool
    """Whether this began the seat's turn."""


class CardUsed(Fact, frozen=True):
    """A seat began to use a character."""

    seat: int
    card: str


class DiceChanged(Fact, frozen=True):
    """A character took effect on active dice."""

    seat: int
    card: str
    before: tuple[int, ...]
    """The dice as they were; empty when a die came into play."""
    after: tuple[int, ...]


class DiceSetAside(Fact, frozen=True):
    """A seat set active dice aside."""

    seat: int
    faces: tuple[int, ...]


class RollingEnded(Fact, frozen=True):
    """A seat has no active dice left, and brings no more into play."""

    seat: int
    faces: tuple[int, ...]
    """Its dice result."""


class CardAcquired(Fact, frozen=True):
    """A seat took a character, or turned its Fool into a Charlatan."""

    seat: int
    card: str


class NothingAcquired(Fact, frozen=True):
    """A seat took no character."""

    seat: int


class KingClaimed(Fact, frozen=True):
    """A seat took the King and the Queen: the round is the last but one."""

    seat: int
    count: int
    value: int


class FinalRolled(Fact, frozen=True):
    """A seat's result in the final round."""

    seat: int
    count: int
    value: int
    ahead: bool
    """Whether the King card is now (or still) its own."""


class Conceded(Fact, frozen=True):
    """A seat does not roll in the final round."""

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
    """In rising order."""


class Roll(Action, frozen=True):
    """Roll all active dice; at the start of the final turn, begin it."""


class Use(Action, frozen=True):
    """Use a character; where it needs to be told on what, that is the next question."""

    card: Name


class Aim(Action, frozen=True):
    """Say what the character in use does."""

    before: Dice
    """The dice it takes, in rising order; empty to bring one into play."""
    after: Dice = ()
    """What they become; empty to re-roll them."""


class Finish(Action, frozen=True):
    """Bring no more dice into play."""


class Acquire(Action, frozen=True):
    """Take a character."""

    card: Name


class AcquireNothing(Action, frozen=True):
    """Take no character."""


class Concede(Action, frozen=True):
    """Do not roll in the final round."""


AnyAction = SetAside | Roll | Use | Aim | Finish | Acquire | AcquireNothing | Concede
