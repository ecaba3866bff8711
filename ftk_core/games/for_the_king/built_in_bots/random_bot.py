"""Bot that chooses at random: the baseline with which all other bots are compared."""

import json
from random import Random

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Draw a random kind of action, then a random action of that kind. Return its menu index."""
    # With all items equally likely, the bot would hardly ever pass in an auction, where most items are bids.
    rng = Random(json.dumps([ask.seat, ask.id, ask.view], sort_keys=True))
    kind = rng.choice(sorted({action["kind"] for action in ask.menu}))
    options = [index for index, action in enumerate(ask.menu) if action["kind"] == kind]
    return rng.choice(options[:3] if kind == "bid" else options)


if __name__ == "__main__":
    run(choose)
