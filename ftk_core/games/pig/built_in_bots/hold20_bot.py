"""Bot that holds at 20 points: a simple rule that plays Pig well."""

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Return the menu index: hold once the turn has gathered 20 points, or enough to win; else roll."""
    view = ask.view
    enough = view["gathered"] >= 20 or view["banked"][ask.seat] + view["gathered"] >= 100
    kind = "hold" if enough else "roll"
    return next((index for index, action in enumerate(ask.menu) if action["kind"] == kind), 0)


if __name__ == "__main__":
    run(choose)
