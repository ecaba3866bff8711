"""Bot that chooses at random: the baseline with which all other bots are compared."""

import json
from random import Random

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Draw a random kind of action, then a random action of that kind. Return its menu index."""
    # The kind "fumble" is left out, because it exiles the player. The referee plays it for players who do not answer.
    rng = Random(json.dumps([ask.hello["match"], ask.seat, ask.id, ask.view], sort_keys=True))
    kinds = sorted({action["kind"] for action in ask.menu} - {"fumble"})
    kind = rng.choice(kinds)
    return rng.choice([index for index, action in enumerate(ask.menu) if action["kind"] == kind])


if __name__ == "__main__":
    run(choose)
