"""Texts for people who play Pig."""

from __future__ import annotations

from ftk_core.facts import Action
from ftk_core.hands import ByHand, kind_of_action
from ftk_core.words import sayer

PHRASES = {
    "en": {"roll": "Roll the die", "hold": "Hold: bank what this turn has gathered"},
    "zh-Hant": {"roll": "擲骰", "hold": "停手：將本回合的分數入袋"},
}
GUIDE = {
    "en": {
        "roll": "A 2 to 6 is gathered. A 1 loses all that this turn has gathered and passes the die on.",
        "hold": "What you bank cannot be lost any more. Whoever first banks 100 or more ends the game.",
    },
    "zh-Hant": {
        "roll": "擲出 2 至 6 點即累積；擲出 1 點則失去本回合累積的分數，輪到下一位。",
        "hold": "入袋的分數不會再失去。最先達到 100 分者結束遊戲。",
    },
}


def touches(action: Action, seat: int) -> tuple[str, ...]:
    """Return the die for a roll, and the seat's own score for holding."""
    return ("die",) if kind_of_action(action) == "roll" else (f"seat-{seat}",)


BY_HAND = ByHand(phrase=sayer(PHRASES, {}), touches=touches, guide=GUIDE, adviser="hold20")
