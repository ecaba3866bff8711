"""Texts of the page on which people play For the King (and Me)."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.facts import Action
from ftk_core.games.for_the_king import CATALOGUE
from ftk_core.games.for_the_king.fact_sentences import card_name, describe_moves
from ftk_core.games.for_the_king.facts import (
    BidAction,
    DecreeAction,
    LeaveAuctionAction,
    PayAction,
    PlaceAction,
    TakeAction,
)
from ftk_core.views.human_player_texts import HumanPlayerTexts

PHRASES = CATALOGUE.texts(
    {
        "middle": "Lay the card into the middle",
        "favor": "Lay the card face down on the Favor deck",
        "self": "Keep the card",
        "take": "Take {card}",
        "pass": "Pass",
        "bid": "Bid {amount}",
        "pay": "Pay with {card}",
    }
)
GUIDE = CATALOGUE.texts(
    {
        "place": "You are the Adviser: of the cards that you draw one goes face down on the Favor deck, one stays with "
        "you, and one for each opponent lies in the middle. You decide on each before you see the next.",
        "take": "Take one card from the middle. At the end, the player with the best cards of an office has its "
        "Primary Duty, and the points on it; the second has the Secondary Duty.",
        "decree": "A King changes what offices are worth, from 1 to 6 points: raise those that you lead, lower others.",
        "bid": "The Favor deck is sold card by card. You may bid more than you have, but who cannot pay loses a card "
        "and is out of this round; gold cards are paid with cards of any kind, all others with gold.",
        "pass": "You bid no more for this card. Once all others have passed, the highest bid buys it; unsold "
        "cards leave the game.",
        "pay": "You won the auction. Discard cards one by one until the bid is paid; too much gold is not given back.",
    }
)
INTRODUCTION = CATALOGUE.labels(
    (
        "For the King (and Me)",
        "Each of you is an adviser who wants the ear of the court.",
        "Bot that values a card by how close the contest for its office is, and bids accordingly.",
        "Bot that collects the cards of two offices only: those of which it holds the most cards.",
        "Greedy bot whose program now and then crashes in the middle of a match.",
        "Greedy bot that sleeps through some questions, so that the referee plays the first menu item for it.",
        "Bot that bids without looking at its gold, which drives prices up, and sometimes cannot pay.",
        "Bot that takes the card with the greatest value, bids up to a card's value, and pays as little as possible.",
        "Bot that collects gold in the first phase, and buys the cards with high values in the second phase.",
        "Bot that chooses at random: the baseline with which all other bots are compared.",
        "Greedy bot that computes for a long time in every auction, as a test of the time limits.",
    )
)
"""Texts that introduce the game: its title, the first sentence of RULES.md, the first docstring line of each bot.

It is a function: language -> dict from English text to translated text.
"""


def describe_action(action: Action, _names: Sequence[str], language: str) -> str:
    """Return a sentence in the imperative that describes an action to the player."""
    phrases = PHRASES(language)
    match action:
        case PlaceAction(area=area):
            return phrases[area]
        case TakeAction(card=card):
            return phrases["take"].format(card=card_name(card, language))
        case PayAction(card=card):
            return phrases["pay"].format(card=card_name(card, language))
        case BidAction(amount=amount):
            return phrases["bid"].format(amount=amount)
        case DecreeAction(up=up, down=down):
            return describe_moves(up, down, language)
    return phrases["pass"]


def list_touched_keys(action: Action, seat: int) -> tuple[str, ...]:
    """Return the keys (ids) of the pieces on the drawn table that a player can click to choose this action."""
    match action:
        case PlaceAction(area=area):
            return (f"hand-{seat}" if area == "self" else area,)
        case TakeAction(card=card) | PayAction(card=card):
            return (card,)
        case DecreeAction(up=up, down=down):
            return tuple(f"primary-{office}" for office in (*up, *down))
        case BidAction() | LeaveAuctionAction():
            return ("lot",)
    return ()


BY_HAND = HumanPlayerTexts(phrase=describe_action, touches=list_touched_keys, guide=GUIDE, adviser="counter")
