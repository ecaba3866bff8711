"""Recorded events and possible moves of the game To Court the King."""
# Dice are identified by their faces.

from __future__ import annotations

from ftk_core.facts import Action, Fact
from ftk_core.games.to_court_the_king.characters import Dice, Name


class RoundBegan(Fact, frozen=True):
    """A round began."""

    round: int
    """Round number, from 1."""
    seat: int


class FinalRoundBegan(Fact, frozen=True, tag="final_began"):
    """The final round began."""

    round: int
    seat: int
    """Seat that rolls first."""


class DiceRolled(Fact, frozen=True):
    """A player rolled all dice that are not set aside."""

    seat: int
    faces: tuple[int, ...]
    opening: bool
    """True if this roll began the seat's turn."""


class CharacterUsed(Fact, frozen=True, tag="card_used"):
    """A seat began to use a character."""

    seat: int
    card: str


class DiceChanged(Fact, frozen=True):
    """A character changed active dice, rolled some of them again, or added a die."""

    seat: int
    card: str
    before: tuple[int, ...]
    """Dice before the change; empty if a die was added."""
    after: tuple[int, ...]


class DiceSetAside(Fact, frozen=True):
    """A seat set active dice aside. They can no longer be rolled or changed this turn."""

    seat: int
    faces: tuple[int, ...]


class RollingEnded(Fact, frozen=True):
    """A player finished rolling, with all dice set aside."""

    seat: int
    faces: tuple[int, ...]
    """Faces of all dice of the seat, which pay for a character."""


class CharacterAcquired(Fact, frozen=True, tag="card_acquired"):
    """A player took a character card, or turned the card Fool over to its other side, the Charlatan."""

    seat: int
    card: str


class NoCharacterAcquired(Fact, frozen=True, tag="nothing_acquired"):
    """A seat took no character."""

    seat: int


class KingClaimed(Fact, frozen=True):
    """A player won the King with seven or more equal dice. The next round is the last."""

    # The Queen comes with the King.

    seat: int
    count: int
    value: int


class FinalRoundTurnFinished(Fact, frozen=True, tag="final_rolled"):
    """A seat finished its turn in the final round. Its result is `count` equal dice with the face `value`."""

    seat: int
    count: int
    value: int
    ahead: bool
    """True if the seat now holds the King card."""


class FinalRoundConceded(Fact, frozen=True, tag="conceded"):
    """A seat gave up its turn in the final round."""

    seat: int


class GameDecided(Fact, frozen=True, tag="court_decided"):
    """The game ended."""

    seat: int
    """Seat of the winner."""


AnyFact = (
    RoundBegan | FinalRoundBegan | DiceRolled | CharacterUsed | DiceChanged | DiceSetAside | RollingEnded
    | CharacterAcquired
    | NoCharacterAcquired | KingClaimed | FinalRoundTurnFinished | FinalRoundConceded | GameDecided
)  # fmt: skip


class SetAsideAction(Action, frozen=True, tag="set_aside"):
    """Set active dice aside. They can then no longer be rolled or changed this turn."""

    faces: Dice
    """Faces in ascending order."""


class RollAction(Action, frozen=True, tag="roll"):
    """Roll all dice that are not set aside."""

    # In the final round, this also begins the player's turn.


class UseCharacterAction(Action, frozen=True, tag="use"):
    """Use a character. If it needs a target, the target is the next choice."""

    card: Name


class ChooseEffectAction(Action, frozen=True, tag="aim"):
    """Choose which dice the character in use changes, and how."""

    before: Dice
    """Dice to change, in ascending order; empty to add one."""
    after: Dice = ()
    """New faces; empty to re-roll."""


class FinishRollingAction(Action, frozen=True, tag="finish"):
    """End the turn's rolling, although a character could still add dice."""


class AcquireAction(Action, frozen=True, tag="acquire"):
    """Take a character."""

    card: Name


class AcquireNothingAction(Action, frozen=True, tag="acquire_nothing"):
    """Take no character."""


class ConcedeAction(Action, frozen=True, tag="concede"):
    """Give up your turn in the final round."""


AnyAction = (
    SetAsideAction
    | RollAction
    | UseCharacterAction
    | ChooseEffectAction
    | FinishRollingAction
    | AcquireAction
    | AcquireNothingAction
    | ConcedeAction
)
