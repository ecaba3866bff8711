"""Bar chart of the cards that the viewer has seen, by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

from ftk_core.games.for_the_king.cards import CARDS, OFFICES, REMOVED_CARD_COUNTS, cards_for
from ftk_core.games.for_the_king.player_view import PlayerView
from ftk_core.views.scene import SeatComparison, SeatComparisonLine

CARD_LABELS = ("Cards seen", "The box holds # cards", "# have been seen", "# were put back unseen", "# of #")


def count_cards(sight: PlayerView) -> SeatComparison:
    """Return a bar chart of how many cards of each kind the viewer has seen."""
    # A card counts as seen if the viewer knows its face and its present place.
    totals, seen = _count_box(sight.seats), Counter(map(_kind_of, _list_seen(sight)))
    clauses = [f"The box holds {totals.total()} cards", f"{seen.total()} have been seen"]
    if removed := REMOVED_CARD_COUNTS[sight.seats]:
        clauses.append(f"{removed} were put back unseen")
    entries = (
        SeatComparisonLine(label=kind, value=f"{seen[kind]} of {total}", share=100 * seen[kind] // total)
        for kind, total in totals.items()
    )
    return SeatComparison(key="cards", title="Cards seen", verdict="; ".join(clauses), entries=tuple(entries))


@cache
def _count_box(seats: int) -> Counter[str]:
    return Counter(map(_kind_of, cards_for(seats)))


def _kind_of(card: str) -> str:
    """Return the label of a card's kind, such as ``Gold 2``."""
    # A paid gold card has no number (``GOLD-2``), because players cannot tell it from others of the same value.
    if card.startswith("GOLD-"):
        return f"Gold {card.split('-')[1]}"
    definition = CARDS[card]
    return "King card" if definition.kind == "king" else OFFICES[definition.office].capitalize()


def _list_seen(sight: PlayerView) -> list[str]:
    """Return the cards whose face and place the viewer knows."""
    hands = [known if hand is None else hand for hand, known in zip(sight.hands, sight.known, strict=True)]
    sold = {sale.card for sale in sight.sales}  # a sold gold card may have been paid since, and be in the discards
    own: list[Sequence[str]] = [pile for pile in (*sight.lost, sight.favor_order, sight.deck_order) if pile is not None]
    own += [[card for card in pile if card not in sold] for pile in sight.favored if pile is not None]
    single = [card for card in (sight.drawn, sight.lot, sight.king) if card is not None]
    numbered = {card for pile in (*hands, *own, sight.middle, single) for card in pile}
    return [*numbered, *(card for card in sight.discards if card not in numbered), *(sight.removed or ())]
