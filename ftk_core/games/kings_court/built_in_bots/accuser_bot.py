"""Bot that, as the King, asks nothing and accuses at random. As a subject it steals from a full box and stays silent.

Subjects are the other players. From a box that is not full, the bot takes a card; in the last seat, it takes nothing.
"""

from random import Random

from ftk_core.kit.bot import Ask, run

FULL = 6
"""A box with at least this number of diamonds is full."""


def help_oneself(ask: Ask) -> int:
    """Choose the things to take from the box. Return the menu index."""
    diamonds, last = ask.view["arrivals"][ask.seat]["diamonds"], ask.seat == ask.view["seats"] - 1
    nothing = {"kind": "help", "diamonds": 0, "card": None, "fake": False}
    if last and nothing in ask.menu:
        return ask.menu.index(nothing)
    if diamonds >= FULL:
        return ask.menu.index({**nothing, "diamonds": diamonds // 2 + 1})
    cards = [index for index, action in enumerate(ask.menu) if action.get("card")]
    return cards[0] if cards else len(ask.menu) - 1


def choose(ask: Ask) -> int:
    """Return the menu index of the action that the bot chooses."""
    kinds = [action["kind"] for action in ask.menu]
    if "accuse" in kinds:
        return Random(f"{ask.hello['match']} {ask.id}").randrange(kinds.count("accuse"))
    return help_oneself(ask) if "help" in kinds else 0


if __name__ == "__main__":
    run(choose)
