"""Texts of the page on which people play Kings Court: moves, hints, options and titles."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.facts import Action
from ftk_core.games.kings_court import CATALOGUE
from ftk_core.games.kings_court.fact_sentences import claim_in_words, diamonds_in_words, role_name, take_in_words
from ftk_core.games.kings_court.facts import (
    AccuseAction,
    AskAction,
    ChooseWinnerAction,
    ClaimAction,
    DismissAction,
    HideAction,
    TakeAction,
)
from ftk_core.games.kings_court.player_claims import ItemsTakenFromBox, PlayerClaim
from ftk_core.games.kings_court.translatable_sentence_templates import QUESTIONS
from ftk_core.views.human_player_texts import HumanPlayerTexts, kind_of_action

PHRASES = CATALOGUE.texts(
    {
        "hide": "Hide {what}",
        "dismiss": "Dismiss {what}",
        "help": "Take {what}",
        "fumble": "Take against the rules, and be exiled",
        "ask": "Ask {who}: {what}",
        "say": "Say: {what}",
        "dont_know": "Say that you do not know",
        "silence": "Say nothing",
        "accuse": "To {who}: empty your pockets!",
        "stay": "Let the accusation go on",
        "halt": "Cry HAULT!",
        "choose": "Win with {who}",
    }
)
GUIDE = CATALOGUE.texts(
    {
        "hide": "You are the King. Keep up to three diamonds out of the box in secret: then nobody can tell from what "
        "is missing what others took.",
        "dismiss": "You are the first to hold the box: you may turn one character over, which nobody can take then.",
        "help": "Help yourself in secret. With diamonds you are a Thief and win with most of them, if the King is "
        "driven out; a character decides with whom you win; with nothing at all you are a Street Urchin.",
        "fumble": "You take from the box against the rules: you are exiled at once and cannot win.",
        "ask": "Ask a subject, announce something, or accuse. Anybody may lie. The King wins when all stolen diamonds "
        "are back; a wrong accusation costs a gift, and once there is none he is exiled.",
        "say": "You may say whatever is of the right kind, true or not, or nothing at all. It binds nobody.",
        "dont_know": "You answer that you do not know. Nobody can check whether that is true.",
        "silence": "You answer nothing. It costs you nothing, and the King may think about it what he likes.",
        "accuse": "Whoever you accuse empties the pockets: a Thief is exiled, a Usurper or the Princess wins at once; "
        "who has the fake diamond shows only that, once; anybody else was a mistake.",
        "stay": "Everybody is asked whether to cry HAULT, so that the asking betrays nobody; only the Guard is heard.",
        "halt": "You stop the accusation before the pockets are emptied. Only the Guard's cry counts: he wins alone if "
        "the accused is a Usurper, and otherwise both are exiled.",
        "choose": "You are the Princess, and win with one of those that have most diamonds: choose.",
    }
)
OPTIONS = CATALOGUE.texts(
    {
        "cards-peasant": "Loyal Peasants in the box",
        "cards-usurper": "Usurpers in the box",
        "cards-apprentice": "Apprentices in the box",
        "cards-guard": "Guard in the box",
        "cards-princess": "Princess in the box",
        "cards-help": "With N players, N - 3 things lie in the box besides the diamonds: these cards, at least one "
        "Loyal Peasant among them, and the fake diamond if it is in play.",
        "fake": "The fake diamond is in the box",
        "fake-help": "It takes the place of a card.",
        "gifts": "Kings Gifts",
        "gifts-help": "Each pays for one mistaken accusation.",
    }
)
INTRODUCTION = CATALOGUE.labels(
    (
        "Kings Court",
        "A box with thirteen diamonds goes round the table.",
        (
            "Bot that, as the King, asks nothing and accuses at random. "
            "As a subject it steals from a full box and stays silent."
        ),
        "Bot that takes all diamonds but two, and gives random answers.",
        "Bot that chooses at random: the baseline with which all other bots are compared.",
        "Bot that as the King computes the most likely Thief from all claims, and as a subject lies consistently.",
    )
)
"""Texts that introduce the game: its title, the first sentence of RULES.md, the first docstring line of each bot.

It is a function: language -> dict from English text to translated text.
"""


def describe_action(action: Action, names: Sequence[str], language: str) -> str:
    """Return a sentence in the imperative that describes an action to the player."""
    template = PHRASES(language)[kind_of_action(action)]
    match action:
        case HideAction(count=count):
            return template.format(what=diamonds_in_words(count, language))
        case DismissAction(card=card):
            return template.format(what=role_name(card, language))
        case TakeAction(diamonds=number, card=card, fake=fake):
            return template.format(what=take_in_words(ItemsTakenFromBox(number, card, fake), language))
        case AskAction(seat=seat, topic=topic, about=about):
            question = QUESTIONS(language)[topic]
            return template.format(who=names[seat], what=question.format(about="" if about is None else names[about]))
        case ClaimAction(claim=claim):
            return template.format(what=claim_in_words(claim, names, language))
        case AccuseAction(seat=seat) | ChooseWinnerAction(seat=seat):
            return template.format(who=names[seat])
    return template


def list_touched_keys(action: Action, seat: int) -> tuple[str, ...]:
    """Return the keys (ids) of the pieces on the drawn table that a player can click to choose this action."""
    match action:
        case HideAction():
            return ("the-box",)
        case DismissAction(card=card):
            return (f"saw-{seat}-{card}",) if card else ()
        case TakeAction(diamonds=number, card=card, fake=fake):
            named = ((f"saw-{seat}", number), (f"saw-{seat}-{card}", card), (f"saw-{seat}-fake", fake))
            return tuple(key for key, is_taken in named if is_taken)
        case AskAction(seat=asked, about=about):
            return (f"seat-{asked}",) if about is None else (f"seat-{asked}", f"seat-{about}")
        case ClaimAction(claim=claim):
            return _about(claim)
        case AccuseAction(seat=accused) | ChooseWinnerAction(seat=accused):
            return (f"seat-{accused}",)
    return ()


def _about(claim: PlayerClaim) -> tuple[str, ...]:
    seats = () if claim.seat is None else (f"seat-{claim.seat}",)
    return (*seats, *dict.fromkeys(f"cast-{card}" for card in claim.cards or ()))


BY_HAND = HumanPlayerTexts(
    phrase=describe_action, touches=list_touched_keys, guide=GUIDE, options=OPTIONS, adviser="sleuth"
)
