"""Translated sentences about the events of a match of For the King (and Me)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ftk_core.facts import Fact
from ftk_core.games.for_the_king import CATALOGUE
from ftk_core.games.for_the_king.cards import CARDS, OFFICES
from ftk_core.games.for_the_king.facts import BidderDefaulted, OfficePointsChangedByKing
from ftk_core.games.for_the_king.seat_comparisons.office_card_comparison import OFFICE_LABELS
from ftk_core.games.for_the_king.seat_comparisons.points_comparison import POINTS_LABELS
from ftk_core.games.for_the_king.seat_comparisons.seen_card_counts import CARD_LABELS
from ftk_core.i18n import ENGLISH, MAX_CACHED_LANGUAGES
from ftk_core.views.fact_sentences import heading_builder, join_list, seat_name, sentence_builder
from ftk_core.views.replay_frame_messages import Duration, Mark, Sound

OFFICE_NAMES = CATALOGUE.texts({office: office.capitalize() for office in OFFICES})
MAX_CACHED_NAMES = 1024
KING_NAMES = {"PM": "+1 / -1", "P": "+1", "M": "-1", "PP": "+1 +1", "MM": "-1 -1", "MIX": "+1, -1"}
NAMES = CATALOGUE.texts(
    {
        "government": "{office} {value} ({letter})",
        "gold": "Gold {value}",
        "king": "King {changes}",
        "hidden": "a card",
        "nobody": "nobody",
    }
)
TEMPLATES = CATALOGUE.texts(
    {
        "deck_shuffled": "The deck is shuffled; some cards go back into the box unseen.",
        "deck_passed": "{seat} takes the deck and is the Adviser.",
        "card_drawn": "{seat} draws {card}.",
        "card_kept": "{seat} keeps {card}.",
        "card_shown": "{seat} lays {card} into the middle.",
        "card_favored": "{seat} lays {card} on the Favor deck.",
        "card_taken": "{seat} takes {card} from the middle.",
        "king_revealed": "{seat} keeps {card} and must reveal it.",
        "king_idle": "{seat} reveals {card}, which can change nothing.",
        "favor_shuffled": "The Favor deck is shuffled; {first} opens the first auction.",
        "favor_revealed": "{seat} turns up {card} from the Favor deck.",
        "bid_made": "{seat} bids {amount}.",
        "passed": "{seat} passes.",
        "auction_won": "{seat} wins the auction with {amount} and pays.",
        "gold_paid": "{seat} pays {card}.",
        "coin_paid": "{seat} pays {value}.",
        "card_discarded": "{seat} discards {card} face down.",
        "defaulted": "{seat} cannot pay {amount}, loses {card}, and is out of this round.",
        "favor_taken": "{seat} takes {card}.",
        "favor_unsold": "Nobody buys {card}; it is discarded.",
        "council_named": "The council is named. Primary duties: {primaries}. Secondary duties: {secondaries}.",
        "decreed": "{seat} plays {card}: {moves}.",
        "defaulted_empty_handed": "{seat} cannot pay {amount}, has no card to lose, and is out of this round.",
    }
)
HEADINGS = CATALOGUE.texts(
    {
        "deck_passed": "{seat} is the Adviser",
        "favor_shuffled": "The auctions",
        "favor_revealed": "Auction: {card}",
        "council_named": "The council",
    }
)
SCORES = CATALOGUE.texts({"one": "1 victory point", "many": "{count} victory points"})
MARKS: Mapping[str, Mark] = {
    "favor_shuffled": "phase",
    "deck_passed": "turn",
    "favor_revealed": "turn",
    "council_named": "phase",
    "decreed": "key",
    "favor_taken": "key",
    "defaulted": "key",
}
DURATIONS: Mapping[str, Duration] = {
    "card_drawn": "short",
    "card_kept": "short",
    "card_favored": "short",
    "gold_paid": "short",
    "coin_paid": "short",
    "card_discarded": "short",
    "favor_taken": "normal",
    "auction_won": "long",
    "king_revealed": "long",
}
SOUNDS: Mapping[str, Sound] = {
    "card_drawn": "card",
    "card_kept": "card",
    "card_shown": "card",
    "card_favored": "card",
    "card_taken": "card",
    "king_revealed": "card",
    "favor_revealed": "card",
    "favor_taken": "card",
    "coin_paid": "card",
    "bid_made": "bid",
    "auction_won": "bid",
}


@lru_cache(MAX_CACHED_NAMES)
def card_name(card: str, language: str) -> str:
    """Return the display name of a card, e.g. ``Diplomacy 3 (B)``."""
    definition, names = CARDS[card], NAMES(language)
    if definition.kind == "government":
        office = OFFICE_NAMES(language)[OFFICES[definition.office]]
        return names["government"].format(office=office, value=definition.value, letter=definition.letter)
    if definition.kind == "gold":
        return names["gold"].format(value=definition.value)
    return names["king"].format(changes=KING_NAMES[definition.king or "PM"])


def _card(value: Any, _names: Sequence[str], language: str) -> str:
    return NAMES(language)["hidden"] if value is None else card_name(value, language)


def _coin(value: int, _names: Sequence[str], language: str) -> str:
    return card_name(f"GOLD-{value}-01", language)


def _holders(value: Any, names: Sequence[str], language: str) -> str:
    offices, nobody = OFFICE_NAMES(language), NAMES(language)["nobody"]
    pairs = zip(OFFICES, value, strict=False)
    return join_list(
        (f"{offices[office]} {nobody if seat is None else names[seat]}" for office, seat in pairs), language
    )


LABELS = CATALOGUE.labels(
    (
        "Deck",
        "Favor deck",
        "Discards",
        "Put back unseen",
        "Government board",
        "Middle of the table",
        "On offer",
        "King card",
        "Hand",
        "Just drawn",
        "Discarded unseen",
        "face down",
        "# card",
        "# cards",
        "all known",
        "# discarded unseen",
        "no bid yet",
        "bid #",
        "Cards in hand",
        "Gold in hand",
        "Points in sight",
        "Victory points",
        *(f"{office.capitalize()}: {duty} Duty #" for office in OFFICES for duty in ("Primary", "Secondary")),
        *OFFICE_NAMES(ENGLISH).values(),
        *OFFICE_LABELS,
        *POINTS_LABELS,
        *CARD_LABELS,
    )
)


@lru_cache(MAX_CACHED_LANGUAGES)
def labels(language: str) -> Mapping[str, str]:
    """Return the labels shown on the drawn game table, as a mapping from the English text to its translation."""
    return {**LABELS(language), **{card_name(card, ENGLISH): card_name(card, language) for card in CARDS}}


_FORMATS = {
    "seat": seat_name,
    "first": seat_name,
    "card": _card,
    "value": _coin,
    "primaries": _holders,
    "secondaries": _holders,
}
_say = sentence_builder(TEMPLATES, _FORMATS)
heading = heading_builder(HEADINGS, _FORMATS)


def say(fact: Fact, names: Sequence[str], language: str) -> str:
    """Describe an event in one translated sentence. `names` holds the players' names by seat."""
    # The caller has already removed everything from the event that the viewer may not know.
    if isinstance(fact, OfficePointsChangedByKing):
        return _decree(fact, names, language)
    if isinstance(fact, BidderDefaulted) and not fact.lost:
        return TEMPLATES(language)["defaulted_empty_handed"].format(seat=names[fact.seat], amount=fact.amount)
    return _say(fact, names, language)


def _decree(fact: OfficePointsChangedByKing, names: Sequence[str], language: str) -> str:
    card, moves = card_name(fact.card, language), describe_moves(fact.up, fact.down, language)
    return TEMPLATES(language)["decreed"].format(seat=names[fact.seat], card=card, moves=moves)


def describe_moves(up: Iterable[str], down: Iterable[str], language: str) -> str:
    """Return the changes of the offices' points as text, e.g. ``Diplomacy +1, Military -1``."""
    offices = OFFICE_NAMES(language)
    return join_list(
        [f"{offices[office]} +1" for office in up] + [f"{offices[office]} -1" for office in down], language
    )


def format_score(score: int, language: str) -> str:
    """Return a number of victory points in words."""
    return SCORES(language)["one" if score == 1 else "many"].format(count=score)
