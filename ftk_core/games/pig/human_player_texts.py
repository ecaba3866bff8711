"""Texts of the page on which people play Pig: moves, hints and titles."""

from __future__ import annotations

from ftk_core.facts import Action
from ftk_core.games.pig import CATALOGUE
from ftk_core.views.fact_sentences import sentence_builder
from ftk_core.views.human_player_texts import HumanPlayerTexts, kind_of_action

PHRASES = CATALOGUE.texts({"roll": "Roll the die", "hold": "Hold: bank what this turn has gathered"})
GUIDE = CATALOGUE.texts(
    {
        "roll": "A 2 to 6 is gathered. A 1 loses all that this turn has gathered and passes the die on.",
        "hold": "What you bank cannot be lost any more. Whoever first banks 100 or more ends the game.",
    }
)
INTRODUCTION = CATALOGUE.labels(
    (
        "Pig",
        "On your turn you roll one die, and go on rolling as long as you dare.",
        "Bot that holds at 20 points: a simple rule that plays Pig well.",
        "Bot that chooses at random: the baseline with which all other bots are compared.",
    )
)
"""Texts that introduce the game: its title, the first sentence of RULES.md, the first docstring line of each bot.

It is a function: language -> dict from English text to translated text.
"""


def list_touched_keys(action: Action, seat: int) -> tuple[str, ...]:
    """Return the key of the drawn piece that a player can click to choose this action."""
    return ("die",) if kind_of_action(action) == "roll" else (f"seat-{seat}",)


BY_HAND = HumanPlayerTexts(
    phrase=sentence_builder(PHRASES, {}), touches=list_touched_keys, guide=GUIDE, adviser="hold20"
)
