"""Set everything aside after the first roll and take the dearest character that pays for."""

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Take the first item, or the first character."""
    kinds = [action["kind"] for action in ask.menu]
    return kinds.index("acquire") if "acquire" in kinds else 0


if __name__ == "__main__":
    run(choose)
