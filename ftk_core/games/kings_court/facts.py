"""Recorded events (facts) and possible moves (actions) of Kings Court."""

from __future__ import annotations

from typing import Annotated, Literal

from ftk_core.facts import Action, Fact, SecretField
from ftk_core.games.kings_court.box_contents import CardName, Diamonds, HiddenDiamonds, SeatNumber
from ftk_core.games.kings_court.player_claims import ItemsTakenFromBox, PlayerClaim, Topic

SecretNumber = Annotated[int | None, SecretField("seat")]
SecretCard = Annotated[str | None, SecretField("seat")]
SecretCards = Annotated[tuple[str, ...] | None, SecretField("seat")]
SecretFlag = Annotated[bool | None, SecretField("seat")]


class DiamondsHidden(Fact, frozen=True):
    """The King secretly kept some diamonds and passed the box to the first player."""

    seat: int
    count: SecretNumber


class BoxContentsSeen(Fact, frozen=True, tag="box_received"):
    """The box came to a seat, which looked into it."""

    seat: int
    diamonds: SecretNumber
    cards: SecretCards
    fake: SecretFlag


class CardPossiblyDismissed(Fact, frozen=True, tag="box_considered"):
    """The first player turned over a card, which nobody can take any more, or decided to turn over none."""

    seat: int
    card: SecretCard
    """The card that was turned over (dismissed); None if there was none."""


class SeatTookFromBox(Fact, frozen=True, tag="share_taken"):
    """A seat took something or nothing from the box and passed it on."""

    seat: int
    diamonds: SecretNumber
    card: SecretCard
    fake: SecretFlag


class TheftRulesBroken(Fact, frozen=True, tag="fumbled"):
    """A seat broke the rules of taking from the box, or did not answer, and is exiled."""

    seat: int


class PlayerQuestioned(Fact, frozen=True, tag="asked"):
    """The King asked a subject (another player) a question."""

    seat: SeatNumber
    topic: Topic
    about: SeatNumber | None


class ClaimMade(Fact, frozen=True, tag="said"):
    """A player made a claim about the box, about a role, or about what a seat took. It may be false."""

    seat: SeatNumber
    claim: PlayerClaim


class NothingSaid(Fact, frozen=True, tag="said_nothing"):
    """A seat did not answer a question, said that it does not know, or made no statement when it could."""

    seat: SeatNumber
    knows: bool
    """False if the seat said that it does not know the answer; True if it kept silent, even if it does not know."""


class SubjectAccused(Fact, frozen=True, tag="accused"):
    """The King accused a subject (another player) of being a Thief."""

    seat: int


class AccusationNotStopped(Fact, frozen=True, tag="stood_by"):
    """A seat was asked whether it stops an accusation, and did not. Only the Guard can stop one."""

    seat: int


class AccusationHalted(Fact, frozen=True, tag="halted"):
    """The Guard cried HAULT to stop an accusation."""

    seat: int


class PrincessChoiceDemanded(Fact, frozen=True, tag="princess_courted"):
    """The Princess was accused and must choose which of several equally rich seats wins with her."""

    seat: int
    between: tuple[int, ...]


class FakeDiamondShown(Fact, frozen=True, tag="fake_shown"):
    """The accused seat showed the fake diamond instead of emptying its pockets, which it can do once."""

    seat: int


class PocketsEmptied(Fact, frozen=True):
    """The accused seat had to show everything that it took."""

    seat: int
    take: ItemsTakenFromBox
    exiled: bool


class WrongAccusationCompensated(Fact, frozen=True, tag="gift_given"):
    """The King accused a seat that was no Thief, and paid for this mistake with a Kings Gift to the seat."""

    seat: int


class PlayerExiled(Fact, frozen=True, tag="exiled"):
    """A seat was exiled. If it is the King's seat, the game ends."""

    seat: int


Ending = Literal["king", "usurper", "guard", "princess", "exile"]
"""Way in which the game ended: the King won, a Usurper, Guard or Princess beat him, or he was exiled."""


class InvestigationEnded(Fact, frozen=True, kw_only=True, tag="court_closed"):
    """The game ended, and all secrets were revealed."""

    ending: Ending
    winners: tuple[int, ...]
    hidden: int
    dismissed: str | None
    takes: tuple[ItemsTakenFromBox | None, ...]
    """Things that each seat took; None for the King, and for a seat that broke the rules of taking."""


AnyFact = (
    DiamondsHidden | BoxContentsSeen | CardPossiblyDismissed | SeatTookFromBox | TheftRulesBroken | PlayerQuestioned
    | ClaimMade | NothingSaid | SubjectAccused
    | AccusationNotStopped | AccusationHalted | PrincessChoiceDemanded | FakeDiamondShown | PocketsEmptied
    | WrongAccusationCompensated | PlayerExiled | InvestigationEnded
)  # fmt: skip


class HideAction(Action, frozen=True, tag="hide"):
    """As the King, keep this many diamonds before passing the box on."""

    count: HiddenDiamonds


class DismissAction(Action, frozen=True, tag="dismiss"):
    """As the first player, turn over one card, which nobody can take any more, or no card."""

    card: CardName | None = None


class TakeAction(Action, frozen=True, tag="help"):
    """Take from the box: diamonds (with or without the fake diamond), a card, only the fake diamond, or nothing."""

    diamonds: Diamonds = 0
    card: CardName | None = None
    fake: bool = False


class FumbleAction(Action, frozen=True, tag="fumble"):
    """Break the rules of taking from the box, and be exiled.

    An example is to take nothing from a box that is not empty, which only the last seat may do. The referee plays this
    action for a seat that does not answer.
    """


class AskAction(Action, frozen=True, tag="ask"):
    """As the King, ask a subject (another player) a question."""

    seat: SeatNumber
    topic: Topic
    about: SeatNumber | None = None


class ClaimAction(Action, frozen=True, tag="say"):
    """Make a claim about the box, about a role, or about what a seat took."""

    claim: PlayerClaim


class DontKnowAction(Action, frozen=True, tag="dont_know"):
    """Say that you do not know the answer."""


class SilenceAction(Action, frozen=True, tag="silence"):
    """Say nothing."""


class AccuseAction(Action, frozen=True, tag="accuse"):
    """As the King, accuse a subject (another player) of being a Thief."""

    seat: SeatNumber


class AllowAccusationAction(Action, frozen=True, tag="stay"):
    """Do not stop the accusation."""


class StopGameWithAccusationAction(Action, frozen=True, tag="halt"):
    """Cry HAULT to stop an accusation. It only has an effect if the seat is the Guard."""


class ChooseWinnerAction(Action, frozen=True, tag="choose"):
    """As the accused Princess, choose which of several equally rich seats wins with her."""

    seat: SeatNumber


AnyAction = (
    HideAction
    | DismissAction
    | TakeAction
    | FumbleAction
    | AskAction
    | ClaimAction
    | DontKnowAction
    | SilenceAction
    | AccuseAction
    | AllowAccusationAction
    | StopGameWithAccusationAction
    | ChooseWinnerAction
)
