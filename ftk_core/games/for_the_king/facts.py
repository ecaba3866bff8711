"""What can happen in For the King (and Me), and what can be chosen."""

from __future__ import annotations

from typing import Annotated, Literal

from ftk_core.bounds import bag, one_of
from ftk_core.facts import NOBODY, Action, Fact, SeenBy
from ftk_core.games.for_the_king.box import OFFICES, CardId
from ftk_core.games.for_the_king.state import Amount

Secret = Annotated[str | None, SeenBy("seat")]
"""A card that only the seat of the fact may know."""
Sealed = Annotated[tuple[str, ...] | None, SeenBy(NOBODY)]
"""Cards in an order that nobody may know."""
Offices = Annotated[tuple[Annotated[str, one_of(*OFFICES)], ...], bag(1)]


class DeckShuffled(Fact, frozen=True):
    """The deck was made."""

    deck: Sealed
    """Top first."""
    removed: Sealed
    """Put back unseen."""


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
    """The seat that reveals the first card."""
    favor: Sealed
    """Top first."""


class FavorRevealed(Fact, frozen=True):
    """The first player turned up a card to bid for."""

    seat: int
    card: str


class BidMade(Fact, frozen=True):
    """A seat raised."""

    seat: int
    amount: int


class Passed(Fact, frozen=True):
    """A seat left the bidding."""

    seat: int


class AuctionWon(Fact, frozen=True):
    """A seat has to pay its bid."""

    seat: int
    amount: int


class GoldPaid(Fact, frozen=True):
    """The winner discarded a gold card face up; version 1 told everybody which of its equals it was."""

    seat: int
    card: str


class CoinPaid(Fact, frozen=True):
    """The winner discarded a gold card face up; cards of one value look alike."""

    seat: int
    value: int
    card: Secret
    """Which of its equals: by it one could tell how many are left."""


class CardDiscarded(Fact, frozen=True):
    """The winner of a gold card discarded a card face down."""

    seat: int
    card: Secret


class Defaulted(Fact, frozen=True):
    """The winner could not pay, lost a random card face down, and is out of this round (F17)."""

    seat: int
    amount: int
    lost: int
    """How many cards: 1, or 0 when the hand was empty."""
    card: Secret


class FavorTaken(Fact, frozen=True):
    """The winner took the card that was bid for."""

    seat: int
    card: str


class FavorUnsold(Fact, frozen=True):
    """Nobody bought the card; it is discarded face up."""

    card: str


class CouncilNamed(Fact, frozen=True):
    """The duties were given out: the end."""

    primaries: tuple[int | None, ...]
    """By office: the seat with the Primary Duty."""
    secondaries: tuple[int | None, ...]
    """By office: the seat with the Secondary Duty."""
    hands: tuple[tuple[str, ...], ...]
    """By seat: what everybody shows at the end."""


AnyFact = (
    DeckShuffled | DeckPassed | CardDrawn | CardKept | CardShown | CardFavored | CardTaken | KingRevealed
    | Decreed | KingIdle | FavorShuffled | FavorRevealed | BidMade | Passed | AuctionWon | GoldPaid | CoinPaid
    | CardDiscarded | Defaulted | FavorTaken | FavorUnsold | CouncilNamed
)  # fmt: skip


class Place(Action, frozen=True):
    """Lay the drawn card into an area."""

    area: Literal["middle", "favor", "self"]


class Take(Action, frozen=True):
    """Take a card from the middle."""

    card: CardId


class Decree(Action, frozen=True):
    """Change Primary Duties as the King card says."""

    up: Offices = ()
    down: Offices = ()


class Pass(Action, frozen=True):
    """Leave the bidding for this card."""


class Bid(Action, frozen=True):
    """Raise to a number."""

    amount: Amount


class Pay(Action, frozen=True):
    """Discard one more card of the payment."""

    card: CardId


AnyAction = Place | Take | Decree | Pass | Bid | Pay
