"""Translated sentences about the events of a match of To Court the King."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ftk_core.facts import Fact
from ftk_core.games.to_court_the_king import CATALOGUE
from ftk_core.games.to_court_the_king.characters import CHARACTERS, CHARLATAN, FOOL, QUEEN
from ftk_core.games.to_court_the_king.facts import DiceChanged, FinalRoundTurnFinished, KingClaimed
from ftk_core.i18n import ENGLISH
from ftk_core.views.fact_sentences import heading_builder, seat_name, sentence_builder
from ftk_core.views.replay_frame_messages import Duration, Mark, Sound

CHARACTER_NAMES = CATALOGUE.texts(
    {name: name.replace("_", " ").title() for name in (FOOL, CHARLATAN, *CHARACTERS, QUEEN)}
)
TEMPLATES = CATALOGUE.texts(
    {
        "round_began": "Round {round}: {seat} is the start player.",
        "final_began": "The final round: {seat} rolls first.",
        "dice_rolled": "{seat} rolls {faces}.",
        "card_used": "{seat} uses the {card}.",
        "dice_changed": "The {card} turns {before} into {after}.",
        "die_added": "The {card} adds a die showing {after}.",
        "dice_set_aside": "{seat} sets aside {faces}.",
        "rolling_ended": "{seat} has {faces}.",
        "card_acquired": "{seat} acquires the {card}.",
        "nothing_acquired": "{seat} acquires nobody.",
        "king_claimed": "{seat} wins the King's ear with {set}.",
        "final_rolled": "{seat} ends with {set}.",
        "final_rolled_ahead": "{seat} ends with {set} and leads.",
        "conceded": "{seat} does not roll.",
        "court_decided": "{seat} wins the court.",
        "no_die": "no die",
    }
)
HEADINGS = CATALOGUE.texts({"round_began": "Round {round}", "final_began": "The final round"})
NUMBER_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
SETS = CATALOGUE.texts(
    {
        "0": "no dice",
        "1": "one {value}",
        **{str(count): f"{word} {{value}}s" for count, word in enumerate(NUMBER_WORDS, 2)},
    }
)
"""Translated templates for the name of a set of equal dice, by number of dice (as a string)."""
MARKS: Mapping[str, Mark] = {
    "round_began": "turn",
    "final_began": "phase",
    "king_claimed": "phase",
    "card_acquired": "key",
    "final_rolled": "key",
    "court_decided": "phase",
}
DURATIONS: Mapping[str, Duration] = {
    "round_began": "short",
    "dice_changed": "short",
    "rolling_ended": "short",
    "card_acquired": "normal",
}
SOUNDS: Mapping[str, Sound] = {
    "dice_rolled": "dice",
    "dice_changed": "dice",
    "card_used": "card",
    "card_acquired": "card",
}


def card_name(card: str, language: str) -> str:
    """Return the display name of a character."""
    return CHARACTER_NAMES(language)[card]


FACES = ("ones", "twos", "threes", "fours", "fives", "sixes")
SET_LABELS = (
    *("1 one", "1 two", "1 three", "1 four", "1 five", "1 six"),
    *(f"# {faces}" for faces in FACES),
    "no dice",
)


def format_set(count: int, value: int) -> str:
    """Return the English label of a set of equal dice; `set_name` returns a translated name.

    >>> format_set(7, 6)
    '7 sixes'
    """
    if not count:
        return "no dice"
    return SET_LABELS[value - 1] if count == 1 else f"{count} {FACES[value - 1]}"


LABELS = (
    *(f"Row {row}" for row in ("I", "II", "III", "IV", "V")),
    *CHARACTER_NAMES(ENGLISH).values(),
    "Active dice",
    "Set aside",
    "Die: #",
    "Court",
    "# dice",
    *SET_LABELS,
    "Dice at the start",
    "Characters",
)
"""English labels of the zones, pieces and meters of a scene. ``#`` stands for a number."""


def _card(value: Any, _names: Sequence[str], language: str) -> str:
    return card_name(value, language)


def _faces(value: Any, _names: Sequence[str], language: str) -> str:
    return "-".join(map(str, value)) or TEMPLATES(language)["no_die"]


_FORMATS = {"seat": seat_name, "card": _card, "faces": _faces, "before": _faces, "after": _faces}
_say = sentence_builder(TEMPLATES, _FORMATS)
heading = heading_builder(HEADINGS, _FORMATS)


def set_name(count: int, value: int, language: str) -> str:
    """Return the translated name of a set of equal dice, e.g. ``two 6s`` in English."""
    return SETS(language)[str(count)].format(value=value)


def format_score(score: int, language: str) -> str:
    """Return the text for a final score: 10 times the number of equal dice, plus their face.

    >>> format_score(91, "en")
    'nine 1s'
    """
    return set_name(*divmod(score, 10), language)


def say(fact: Fact, names: Sequence[str], language: str) -> str:
    """Return the sentence that describes an event."""
    templates = TEMPLATES(language)
    match fact:
        case DiceChanged(card=card, before=(), after=after):
            added = _faces(after, names, language)
            return templates["die_added"].format(card=card_name(card, language), after=added)
        case KingClaimed(seat=seat, count=count, value=value):
            return templates["king_claimed"].format(seat=names[seat], set=set_name(count, value, language))
        case FinalRoundTurnFinished(seat=seat, count=count, value=value):
            template = templates["final_rolled_ahead" if fact.ahead else "final_rolled"]
            return template.format(seat=names[seat], set=set_name(count, value, language))
    return _say(fact, names, language)
