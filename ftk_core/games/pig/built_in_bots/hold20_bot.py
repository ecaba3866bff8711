"""Bot that holds at 20 points: a simple rule that plays Pig well."""

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Hold with 20 points in this turn, or enough to win. Otherwise roll. Return the menu index."""
    view = ask.view
    enough = view["gathered"] >= 20 or view["banked"][ask.seat] + view["gathered"] >= 100
    kind = "hold" if enough else "roll"
    return next((index for index, action in enumerate(ask.menu) if action["kind"] == kind), 0)


if __name__ == "__main__":
    run(choose)
