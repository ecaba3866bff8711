"""Tooltips for characters and dice, which pages show on hover."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ftk_core.games.to_court_the_king import CATALOGUE
from ftk_core.games.to_court_the_king.characters import CHARACTERS
from ftk_core.i18n import MAX_CACHED_LANGUAGES

EFFECTS = CATALOGUE.texts(
    {
        "FOOL": "re-roll one active die",
        "CHARLATAN": "one more die at the start of a turn",
        "FARMER": "one more die at the start of a turn",
        "SERVING_MAID": "add 1 to 3 pips to one active die",
        "PHILOSOPHER": "move pips from one active die to another",
        "LABORER": "bring in a die showing 1",
        "GUARD": "bring in a die showing 2",
        "HUNTER": "bring in a die showing 3",
        "ASTRONOMER": "make an active die equal to one set aside (T11)",
        "MERCHANT": "re-roll any active dice",
        "NOBLEWOMAN": "add one pip to any active dice (T9)",
        "PAWN_BROKER": "bring in a die showing 4",
        "KNIGHT": "bring in a die showing 5",
        "MAGICIAN": "set an active die to any value",
        "ALCHEMIST": "move pips among two or three active dice (T10)",
        "BISHOP": "bring in a die showing 6",
        "NOBLEMAN": "add two pips to any active dice (T9)",
        "GENERAL": "two more dice at the start of a turn",
        "KING": "brings the Queen and starts the final round",
        "QUEEN": "bring in a die of any value",
    }
)
COSTS = CATALOGUE.texts(
    {
        **{name: character.cost for name, character in CHARACTERS.items()},
        "FOOL": "any result, if you hold no Fool (T1)",
        "CHARLATAN": "a Fool turned over (T1, T2)",
        "QUEEN": "with the King",
    }
)
"""Ways to get each character: a cost in dice, or another way."""
PASSIVE = ("CHARLATAN", "FARMER", "GENERAL", "KING")
"""Characters with a permanent effect, which are not used in a turn."""
SENTENCES = CATALOGUE.texts(
    {
        "active": "Cost: {cost}. Once a turn: {effect}.",
        "passive": "Cost: {cost}. Always: {effect}.",
        "used": "Used already: each character helps once a turn.",
        "die": "Roll it while it is active; set at least one aside after each roll. "
        "What is set aside buys a character.",
    }
)


@lru_cache(MAX_CACHED_LANGUAGES)
def about(language: str) -> Mapping[str, str]:
    """Return the tooltips of dice and characters by key."""
    # The key ``die`` stands for all dice. Any other key is a tag of drawn characters.
    sentences, costs = SENTENCES(language), COSTS(language)
    characters = {
        f"character:{name.lower()}": sentences["passive" if name in PASSIVE else "active"].format(
            cost=costs[name], effect=effect
        )
        for name, effect in EFFECTS(language).items()
    }
    return {**characters, "used": sentences["used"], "die": sentences["die"]}
