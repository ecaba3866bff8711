"""Facts and actions of For the King (and Me)."""

from __future__ import annotations

from typing import Annotated, Literal

from ftk_core.bounds import bag, one_of
from ftk_core.facts import NOBODY, Action, Fact, SeenBy
from ftk_core.games.for_the_king.box import OFFICES, CardId
from ftk_core.games.for_the_king.state import Amount

Secret = Annotated[str | None, SeenBy("seat")]
"""Card that only the seat of the fact may know."""
Sealed = Annotated[tuple[str, ...] | None, SeenBy(NOBODY)]
"""Cards in a secret order."""
Offices = Annotated[tuple[Annotated[str, one_of(*OFFICES)], ...], bag(1)]


class DeckShuffled(Fact, frozen=True):
    """The deck was shuffled."""

    deck: Sealed
    """Top card first."""
    removed: Sealed
    """Cards removed unseen."""


class DeckPassed(Fact, frozen=True):
    """A seat took the deck and is the Adviser."""

    seat: int


class CardDrawn(Fact, frozen=True):
    """The Adviser looked at the next card."""

    seat: int
    card: Secret


class CardKept(Fact, frozen=True):
    """The Adviser laid the card face down before himself."""

    seat: int
    card: Secret


class CardShown(Fact, frozen=True):
    """The Adviser laid the card face up in the middle."""

    seat: int
    card: str


class CardFavored(Fact, frozen=True):
    """The Adviser laid the card face down on the Favor deck."""

    seat: int
    card: Secret


class CardTaken(Fact, frozen=True):
    """An opponent took a card from the middle."""

    seat: int
    card: str


class KingRevealed(Fact, frozen=True):
    """The Adviser kept a King card, which is revealed at once (F7)."""

    seat: int
    card: str


class Decreed(Fact, frozen=True):
    """A King card took effect and went back to the box."""

    seat: int
    card: str
    up: tuple[str, ...]
    """Offices whose Primary Duty rose by 1."""
    down: tuple[str, ...]
    """Offices whose Primary Duty fell by 1."""


class KingIdle(Fact, frozen=True):
    """A King card could change nothing and went back to the box (F3)."""

    seat: int
    card: str


class FavorShuffled(Fact, frozen=True):
    """The second phase began."""

    first: int
    """Seat that reveals the first card."""
    favor: Sealed
    """Top card first."""


class FavorRevealed(Fact, frozen=True):
    """The first player revealed a card for auction."""

    seat: int
    card: str


class BidMade(Fact, frozen=True):
    """A seat raised the bid."""

    seat: int
    amount: int


class Passed(Fact, frozen=True):
    """A seat passed."""

    seat: int


class AuctionWon(Fact, frozen=True):
    """A seat won an auction and must pay its bid."""

    seat: int
    amount: int


class GoldPaid(Fact, frozen=True):
    """The winner discarded a gold card face up. Version 1 revealed which of the equal cards it was."""

    seat: int
    card: str


class CoinPaid(Fact, frozen=True):
    """The winner discarded a gold card face up; cards of one value look alike."""

    seat: int
    value: int
    card: Secret
    """The card. It is secret because it would reveal how many equal cards are left."""


class CardDiscarded(Fact, frozen=True):
    """The winner of a gold card discarded a card face down."""

    seat: int
    card: Secret


class Defaulted(Fact, frozen=True):
    """The winner could not pay, lost a random card face down, and is out of this round (F17)."""

    seat: int
    amount: int
    lost: int
    """Number of cards lost: 1, or 0 if the hand was empty."""
    card: Secret


class FavorTaken(Fact, frozen=True):
    """The winner took the card."""

    seat: int
    card: str


class FavorUnsold(Fact, frozen=True):
    """Nobody bought the card; it is discarded face up."""

    card: str


class CouncilNamed(Fact, frozen=True):
    """The duties were awarded and the game ended."""

    primaries: tuple[int | None, ...]
    """By office: seat with the Primary Duty."""
    secondaries: tuple[int | None, ...]
    """By office: seat with the Secondary Duty."""
    hands: tuple[tuple[str, ...], ...]
    """By seat: the hand, revealed at the end."""


AnyFact = (
    DeckShuffled | DeckPassed | CardDrawn | CardKept | CardShown | CardFavored | CardTaken | KingRevealed
    | Decreed | KingIdle | FavorShuffled | FavorRevealed | BidMade | Passed | AuctionWon | GoldPaid | CoinPaid
    | CardDiscarded | Defaulted | FavorTaken | FavorUnsold | CouncilNamed
)  # fmt: skip


class Place(Action, frozen=True):
    """Place the drawn card in an area."""

    area: Literal["middle", "favor", "self"]


class Take(Action, frozen=True):
    """Take a card from the middle."""

    card: CardId


class Decree(Action, frozen=True):
    """Change Primary Duties as the King card allows."""

    up: Offices = ()
    down: Offices = ()


class Pass(Action, frozen=True):
    """Leave the auction of this card."""


class Bid(Action, frozen=True):
    """Raise the bid to an amount."""

    amount: Amount


class Pay(Action, frozen=True):
    """Discard one more card of the payment."""

    card: CardId


AnyAction = Place | Take | Decree | Pass | Bid | Pay
