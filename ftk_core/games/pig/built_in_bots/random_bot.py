"""Bot that chooses at random: the baseline with which all other bots are compared."""

import json
from random import Random

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Return a random menu index."""
    # The seed depends only on the question, so that matches can be repeated.
    return Random(json.dumps([ask.seat, ask.id, ask.view], sort_keys=True)).randrange(len(ask.menu))


if __name__ == "__main__":
    run(choose)
