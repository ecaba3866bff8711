"""Recorded events and possible moves of the game For the King (and Me)."""

from __future__ import annotations

from typing import Annotated, Literal

from ftk_core.facts import NOBODY, Action, Fact, SecretField
from ftk_core.field_bounds import bag, one_of
from ftk_core.games.for_the_king.cards import OFFICES, CardId
from ftk_core.games.for_the_king.table_state import Amount

Secret = Annotated[str | None, SecretField("seat")]
"""Card id that only the seat in the fact's field `seat` may know."""
Sealed = Annotated[tuple[str, ...] | None, SecretField(NOBODY)]
"""Card ids in an order that no seat may know."""
Offices = Annotated[tuple[Annotated[str, one_of(*OFFICES)], ...], bag(1)]


class DeckShuffled(Fact, frozen=True):
    """The deck was shuffled."""

    deck: Sealed
    """Deck, top card first."""
    removed: Sealed
    """Cards that were removed unseen and are not used."""


class DeckPassed(Fact, frozen=True):
    """A player took the deck and now distributes the next cards."""

    seat: int


class CardDrawn(Fact, frozen=True):
    """The player with the deck drew its next card."""

    seat: int
    card: Secret


class CardKept(Fact, frozen=True):
    """The player with the deck kept the drawn card, face down."""

    seat: int
    card: Secret


class CardShown(Fact, frozen=True):
    """The drawn card was laid face up on the table, for an opponent to take."""

    seat: int
    card: str


class CardAddedToFavorDeck(Fact, frozen=True, tag="card_favored"):
    """The drawn card was set aside, face down, for a later auction."""

    seat: int
    card: Secret


class CardTaken(Fact, frozen=True):
    """A player took a face-up card from the table."""

    seat: int
    card: str


class KingCardRevealed(Fact, frozen=True, tag="king_revealed"):
    """A player kept a King card, which must be used at once."""

    seat: int
    card: str


class OfficePointsChangedByKing(Fact, frozen=True, tag="decreed"):
    """A King card changed the points for first place in some offices, and left the game."""

    seat: int
    card: str
    up: tuple[str, ...]
    """Offices whose Primary Duty rose by 1."""
    down: tuple[str, ...]
    """Offices whose Primary Duty fell by 1."""


class KingCardDiscardedWithoutEffect(Fact, frozen=True, tag="king_idle"):
    """A King card left the game without effect: it could not change the points of any office."""

    seat: int
    card: str


class FavorDeckShuffled(Fact, frozen=True, tag="favor_shuffled"):
    """The second phase began: the Favor deck was shuffled, to be auctioned card by card."""

    first: int
    """Seat that reveals the first card."""
    favor: Sealed
    """Favor deck, top card first."""


class FavorCardRevealed(Fact, frozen=True, tag="favor_revealed"):
    """The seat that bids first turned up the next card of the Favor deck, to be auctioned."""

    seat: int
    card: str


class BidMade(Fact, frozen=True):
    """A seat raised the bid."""

    seat: int
    amount: int


class BidderPassed(Fact, frozen=True, tag="passed"):
    """A seat left the auction of the current card."""

    seat: int


class AuctionWon(Fact, frozen=True):
    """A seat won an auction and must pay its bid."""

    seat: int
    amount: int


class LegacyGoldCardPaid(Fact, frozen=True, tag="gold_paid"):
    """The winner of an auction paid with a gold card, whose id all players see (version 1 of the rules)."""

    # Later versions have `GoldCardPaid`, which hides the card's id: gold cards of equal value look alike.

    seat: int
    card: str


class GoldCardPaid(Fact, frozen=True, tag="coin_paid"):
    """The winner of an auction paid with a gold card, face up."""

    seat: int
    value: int
    card: Secret
    """Id of the card. It is secret, because it would reveal how many equal cards are left."""


class CardDiscarded(Fact, frozen=True):
    """The winner of a gold card's auction discarded a card of any kind face down as payment."""

    seat: int
    card: Secret


class BidderDefaulted(Fact, frozen=True, tag="defaulted"):
    """The winner of an auction could not pay, and lost a random card."""

    seat: int
    amount: int
    lost: int
    """Number of cards lost: 1, or 0 if the hand was empty."""
    card: Secret


class FavorCardTaken(Fact, frozen=True, tag="favor_taken"):
    """The winner of an auction took the auctioned card."""

    seat: int
    card: str


class FavorCardUnsold(Fact, frozen=True, tag="favor_unsold"):
    """Nobody bought the auctioned card, and it was discarded face up."""

    card: str


class DutiesAwarded(Fact, frozen=True, tag="council_named"):
    """The game ended, and the duties (the points of the offices) were awarded."""

    primaries: tuple[int | None, ...]
    """Seat that holds the Primary Duty of each office (all its points); None if no seat holds it."""
    secondaries: tuple[int | None, ...]
    """Seat that holds the Secondary Duty of each office (half its points); None if no seat holds it."""
    hands: tuple[tuple[str, ...], ...]
    """Hand of each seat, revealed at the end."""


AnyFact = (
    DeckShuffled | DeckPassed | CardDrawn | CardKept | CardShown | CardAddedToFavorDeck | CardTaken | KingCardRevealed
    | OfficePointsChangedByKing | KingCardDiscardedWithoutEffect | FavorDeckShuffled | FavorCardRevealed | BidMade |
    BidderPassed | AuctionWon | LegacyGoldCardPaid | GoldCardPaid | CardDiscarded | BidderDefaulted | FavorCardTaken |
    FavorCardUnsold | DutiesAwarded
)  # fmt: skip


class PlaceAction(Action, frozen=True, tag="place"):
    """Keep the drawn card, offer it to the opponents, or set it aside for an auction."""

    area: Literal["middle", "favor", "self"]


class TakeAction(Action, frozen=True, tag="take"):
    """Take a face-up card from the table."""

    card: CardId


class DecreeAction(Action, frozen=True, tag="decree"):
    """Raise or lower the Primary Duties (points for first place) of offices, as the King card allows."""

    up: Offices = ()
    down: Offices = ()


class LeaveAuctionAction(Action, frozen=True, tag="pass"):
    """Leave the auction of the current card."""


class BidAction(Action, frozen=True, tag="bid"):
    """Raise the bid to this amount."""

    amount: Amount


class PayAction(Action, frozen=True, tag="pay"):
    """Discard one card as part of the payment for a won auction."""

    card: CardId


AnyAction = PlaceAction | TakeAction | DecreeAction | LeaveAuctionAction | BidAction | PayAction
