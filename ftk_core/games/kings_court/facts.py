"""Recorded events and possible moves of the game Kings Court."""

from __future__ import annotations

from typing import Annotated, Literal

from ftk_core.facts import Action, Fact, SecretField
from ftk_core.games.kings_court.player_claims import ItemsTakenFromBox, PlayerClaim, Topic
from ftk_core.games.kings_court.roles_and_options import CardName, Diamonds, HiddenDiamonds, SeatNumber

SecretNumber = Annotated[int | None, SecretField("seat")]
SecretCard = Annotated[str | None, SecretField("seat")]
SecretCards = Annotated[tuple[str, ...] | None, SecretField("seat")]
SecretFlag = Annotated[bool | None, SecretField("seat")]


class DiamondsHidden(Fact, frozen=True):
    """The King secretly kept some diamonds, and passed the box on."""

    seat: int
    count: SecretNumber


class BoxContentsSeen(Fact, frozen=True, tag="box_received"):
    """A player received the box and looked into it."""

    seat: int
    diamonds: SecretNumber
    cards: SecretCards
    fake: SecretFlag


class DismissalDecided(Fact, frozen=True, tag="box_considered"):
    """The first player removed one card of the box from the game, or none."""

    seat: int
    card: SecretCard
    """The card that was turned over (dismissed); None if there was none."""


class SeatTookFromBox(Fact, frozen=True, tag="share_taken"):
    """A player took something or nothing from the box, and passed it on."""

    seat: int
    diamonds: SecretNumber
    card: SecretCard
    fake: SecretFlag


class TheftRulesBroken(Fact, frozen=True, tag="fumbled"):
    """A player broke the rules of taking from the box, and is exiled."""

    # The same happens to a player who does not answer.

    seat: int


class PlayerQuestioned(Fact, frozen=True, tag="asked"):
    """The King asked a subject (another player) a question."""

    seat: SeatNumber
    topic: Topic
    about: SeatNumber | None


class ClaimMade(Fact, frozen=True, tag="said"):
    """A player made a claim about the match, true or false."""

    seat: SeatNumber
    claim: PlayerClaim


class NothingSaid(Fact, frozen=True, tag="said_nothing"):
    """A player made no claim when asked or allowed to speak."""

    seat: SeatNumber
    knows: bool
    """False if the seat said that it does not know the answer; True if it kept silent, even if it does not know."""


class SubjectAccused(Fact, frozen=True, tag="accused"):
    """The King accused another player of being a Thief."""

    seat: int


class AccusationNotStopped(Fact, frozen=True, tag="stood_by"):
    """A player was asked whether to stop an accusation, and let it pass."""

    seat: int


class AccusationStopped(Fact, frozen=True, tag="halted"):
    """The Guard cried HAULT to stop an accusation."""

    seat: int


class PrincessChoiceDemanded(Fact, frozen=True, tag="princess_courted"):
    """The Princess was accused and must choose which of several equally rich seats wins with her."""

    seat: int
    between: tuple[int, ...]


class FakeDiamondShown(Fact, frozen=True, tag="fake_shown"):
    """The accused seat showed the fake diamond instead of emptying its pockets. A seat can do this once."""

    seat: int


class PocketsEmptied(Fact, frozen=True):
    """The accused seat had to show everything that it took."""

    seat: int
    take: ItemsTakenFromBox
    exiled: bool


class WrongAccusationCompensated(Fact, frozen=True, tag="gift_given"):
    """The King accused a player wrongly, and paid for this with a token."""

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
    DiamondsHidden | BoxContentsSeen | DismissalDecided | SeatTookFromBox | TheftRulesBroken | PlayerQuestioned
    | ClaimMade | NothingSaid | SubjectAccused
    | AccusationNotStopped | AccusationStopped | PrincessChoiceDemanded | FakeDiamondShown | PocketsEmptied
    | WrongAccusationCompensated | PlayerExiled | InvestigationEnded
)  # fmt: skip


class HideAction(Action, frozen=True, tag="hide"):
    """As the King, keep `count` diamonds and pass the box on."""

    count: HiddenDiamonds


class DismissAction(Action, frozen=True, tag="dismiss"):
    """As the first player, remove one card of the box from the game, or none."""

    card: CardName | None = None


class TakeAction(Action, frozen=True, tag="help"):
    """Take diamonds, a card, the fake diamond or nothing from the box."""

    # The fake diamond can be taken alone or with other diamonds.

    diamonds: Diamonds = 0
    card: CardName | None = None
    fake: bool = False


class BreakTheftRulesAction(Action, frozen=True, tag="fumble"):
    """Break the rules of taking from the box, and be exiled."""

    # The referee plays it for a player who does not answer.


class AskAction(Action, frozen=True, tag="ask"):
    """As the King, ask a subject (another player) a question."""

    seat: SeatNumber
    topic: Topic
    about: SeatNumber | None = None


class ClaimAction(Action, frozen=True, tag="say"):
    """Make a claim about the match, true or false."""

    claim: PlayerClaim


class DontKnowAction(Action, frozen=True, tag="dont_know"):
    """Say that you do not know the answer."""


class SilenceAction(Action, frozen=True, tag="silence"):
    """Say nothing."""


class AccuseAction(Action, frozen=True, tag="accuse"):
    """As the King, accuse another player of being a Thief."""

    seat: SeatNumber


class AllowAccusationAction(Action, frozen=True, tag="stay"):
    """Do not stop the accusation."""


class StopAccusationAction(Action, frozen=True, tag="halt"):
    """Cry HAULT to stop an accusation. It only has an effect if the seat is the Guard."""


class ChooseWinnerAction(Action, frozen=True, tag="choose"):
    """As the accused Princess, choose which of several equally rich seats wins with her."""

    seat: SeatNumber


AnyAction = (
    HideAction
    | DismissAction
    | TakeAction
    | BreakTheftRulesAction
    | AskAction
    | ClaimAction
    | DontKnowAction
    | SilenceAction
    | AccuseAction
    | AllowAccusationAction
    | StopAccusationAction
    | ChooseWinnerAction
)
