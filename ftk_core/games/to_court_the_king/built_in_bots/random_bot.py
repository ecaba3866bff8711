"""Bot that chooses at random: the baseline with which all other bots are compared."""

import json
from random import Random

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Draw a random kind of action, then a random action of that kind. Return its menu index."""
    rng = Random(json.dumps([ask.seat, ask.id, ask.view], sort_keys=True))
    kind = rng.choice(sorted({action["kind"] for action in ask.menu}))
    return rng.choice([index for index, action in enumerate(ask.menu) if action["kind"] == kind])


if __name__ == "__main__":
    run(choose)
