"""Bot that chooses at random: the baseline with which all other bots are compared."""

import json
from random import Random

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Return the index of a random menu item: first draw a kind of action, then an action of that kind.

    In an auction, the menu has one item to pass and many items to bid. If all were equally likely, the bot would hardly
    ever pass. It raises a bid by 3 at most.
    """
    rng = Random(json.dumps([ask.seat, ask.id, ask.view], sort_keys=True))
    kind = rng.choice(sorted({action["kind"] for action in ask.menu}))
    options = [index for index, action in enumerate(ask.menu) if action["kind"] == kind]
    return rng.choice(options[:3] if kind == "bid" else options)


if __name__ == "__main__":
    run(choose)
