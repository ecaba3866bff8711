"""Choose anything: the floor every other bot is measured against."""

import json
from random import Random

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Choose any item of the menu, by a draw that depends on the question alone."""
    return Random(json.dumps([ask.seat, ask.id, ask.view], sort_keys=True)).randrange(len(ask.menu))


if __name__ == "__main__":
    run(choose)
