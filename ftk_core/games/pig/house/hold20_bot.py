"""Hold at twenty: the simple rule that plays Pig well."""

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Hold once the turn has gathered 20, or enough to win."""
    view = ask.view
    enough = view["gathered"] >= 20 or view["banked"][ask.seat] + view["gathered"] >= 100
    wanted = "hold" if enough else "roll"
    return next((index for index, action in enumerate(ask.menu) if action["kind"] == wanted), 0)


if __name__ == "__main__":
    run(choose)
