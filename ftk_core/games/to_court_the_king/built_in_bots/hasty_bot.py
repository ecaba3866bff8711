"""Bot that sets all dice aside after the first roll and takes the most expensive character that they pay for."""

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Return the index of the first menu item that takes a character, or 0."""
    # As long as dice can be set aside, item 0 sets all of them aside.
    kinds = [action["kind"] for action in ask.menu]
    return kinds.index("acquire") if "acquire" in kinds else 0


if __name__ == "__main__":
    run(choose)
