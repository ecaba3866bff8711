"""Texts of the page on which people play To Court the King."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.facts import Action
from ftk_core.games.to_court_the_king import CATALOGUE
from ftk_core.games.to_court_the_king.characters import CHARLATAN, FOOL, KING, QUEEN
from ftk_core.games.to_court_the_king.fact_sentences import card_name
from ftk_core.games.to_court_the_king.facts import AcquireAction, ChooseEffectAction, SetAsideAction, UseCharacterAction
from ftk_core.views.human_player_texts import HumanPlayerTexts, dice_keys, kind_of_action

PHRASES = CATALOGUE.texts(
    {
        "set_aside": "Set aside {before}",
        "roll": "Roll the active dice",
        "use": "Use the {card}",
        "aim": "Turn {before} into {after}",
        "reroll": "Roll {before} again",
        "add": "Bring in a {after}",
        "finish": "Bring in no more dice",
        "acquire": "Take the {card}",
        "acquire_nothing": "Take nobody",
        "concede": "Do not roll",
    }
)
GUIDE = CATALOGUE.texts(
    {
        "set_aside": "Set at least one die aside, then the rest may be rolled again. When none is left, the dice set "
        "aside buy one character. A Ctrl+click selects all dice that show something else, a Shift+click all others.",
        "roll": "You roll all dice that are still active; what you have set aside stays until your turn ends.",
        "use": "Each character helps once a turn: some bring in a die, others bend those that are still active.",
        "aim": "Say what the character does: which dice it takes, and what they become.",
        "finish": "No die is active any more. You may still bring dice into play, or take what you have now.",
        "acquire": "Your dice buy one character whose cost they meet. Seven of a kind claim the King, and with him "
        "the Queen: then everybody has one last turn.",
        "acquire_nothing": "You leave your dice unspent, and get no character for them.",
        "concede": "The last turn: who beats the roll of the King's holder wins the court; the Queen's holder need "
        "only match it. You need not roll.",
    }
)
INTRODUCTION = CATALOGUE.labels(
    (
        "To Court the King",
        "Roll your dice, set at least one aside, roll the rest again, until none is left.",
        "Bot that acquires characters with extra dice first, then those that change dice, and collects one face.",
        "Bot that collects the most frequent face, uses no characters, and takes the most expensive character.",
        "Bot that sets all dice aside after the first roll and takes the most expensive character that they pay for.",
        "Bot that chooses at random: the baseline with which all other bots are compared.",
    )
)
"""Texts that introduce the game: its title, the first sentence of RULES.md, the first docstring line of each bot.

It is a function: language -> dict from English text to translated text.
"""


def _faces(faces: Sequence[int]) -> str:
    return "-".join(map(str, faces))


def describe_action(action: Action, _names: Sequence[str], language: str) -> str:
    """Return a sentence in the imperative that describes an action to the player."""
    phrases = PHRASES(language)
    match action:
        case SetAsideAction(faces=faces):
            return phrases["set_aside"].format(before=_faces(faces))
        case ChooseEffectAction(before=before, after=after):
            key = "add" if not before else "aim" if after else "reroll"
            return phrases[key].format(before=_faces(before), after=_faces(after))
        case UseCharacterAction(card=card) | AcquireAction(card=card):
            return phrases[kind_of_action(action)].format(card=card_name(card, language))
    return phrases[kind_of_action(action)]


def list_touched_keys(action: Action, seat: int) -> tuple[str, ...]:
    """Return the keys (ids) of the pieces on the drawn table that a player can click to choose this action."""
    match action:
        case SetAsideAction(faces=faces):
            return dice_keys("active", faces)
        case ChooseEffectAction(before=before):
            return dice_keys("active", before)
        case UseCharacterAction(card=card):
            return (card if card in (KING, QUEEN) else f"{card}-{seat}",)
        case AcquireAction(card=card) if card == CHARLATAN:
            return (f"{FOOL}-{seat}",)
        case AcquireAction(card=card) if card != FOOL:
            return (f"display-{card}",)
    return ()


BY_HAND = HumanPlayerTexts(phrase=describe_action, touches=list_touched_keys, guide=GUIDE, adviser="builder")
