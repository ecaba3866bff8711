"""Bot that chooses at random: the baseline with which all other bots are compared."""

import json
from random import Random

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Return the menu index of a random action: first draw a kind of action, then an action of that kind.

    The bot never breaks the rules of taking from the box, although the menu has this action. It would exile the player.
    The referee plays it for players who do not answer.
    """
    rng = Random(json.dumps([ask.hello["match"], ask.seat, ask.id, ask.view], sort_keys=True))
    kinds = sorted({action["kind"] for action in ask.menu} - {"fumble"})
    kind = rng.choice(kinds)
    return rng.choice([index for index, action in enumerate(ask.menu) if action["kind"] == kind])


if __name__ == "__main__":
    run(choose)
