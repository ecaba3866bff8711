"""Bot that collects the most frequent face, uses no characters, and takes the most expensive character."""

from ftk_core.kit.bot import Ask, run


def target(dice: list[int], aside: list[int]) -> int:
    """Return the most frequent face of all dice; the higher face in a tie."""
    every = dice + aside
    return max(range(1, 7), key=lambda face: (every.count(face), face))


def choose(ask: Ask) -> int:
    """Return the menu index of the action that the bot chooses."""
    kinds = [action["kind"] for action in ask.menu]
    if "acquire" in kinds:
        return kinds.index("acquire")
    if "roll" in kinds:
        return kinds.index("roll")
    if "set_aside" not in kinds:
        return 0
    active, aside = ask.view["active"], ask.view["aside"]
    face = target(active, aside)
    dice_to_keep = [die for die in active if die == face] or [max(active)]
    return next(i for i, action in enumerate(ask.menu) if action.get("faces") == dice_to_keep)


if __name__ == "__main__":
    run(choose)
