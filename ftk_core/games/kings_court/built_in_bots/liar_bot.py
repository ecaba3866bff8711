"""Bot that takes all diamonds but two, and gives random answers.

From a box with diamonds, it takes at least one. As the King, it accuses at random.
"""

import json
from random import Random

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Return the menu index of the action that the bot chooses."""
    kinds = [action["kind"] for action in ask.menu]
    if "help" in kinds:
        greedy = [index for index, action in enumerate(ask.menu) if action.get("diamonds")]
        return greedy[max(0, len(greedy) - 3)] if greedy else kinds.index("help")
    rng = Random(json.dumps([ask.hello["match"], ask.seat, ask.id, ask.view["said"]]))
    if "accuse" in kinds:
        return rng.randrange(kinds.count("accuse"))
    return rng.randrange(len(ask.menu)) if ask.view["step"] == "answer" else 0


if __name__ == "__main__":
    run(choose)
