"""Choose anything: the floor every other bot is measured against."""

from random import Random

from ftk_core.kit.bot import Ask, run

rng = Random("pig")


def choose(ask: Ask) -> int:
    """Choose any item of the menu."""
    return rng.randrange(len(ask.menu))


if __name__ == "__main__":
    run(choose)
