"""Ask nothing, accuse anybody; help oneself to a card and keep quiet."""

from random import Random

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Accuse as the King, take the first card as a subject, else say nothing."""
    kinds = [action["kind"] for action in ask.menu]
    if "accuse" in kinds:
        return Random(f"{ask.hello['match']} {ask.id}").randrange(kinds.count("accuse"))
    if "help" in kinds:
        cards = [index for index, action in enumerate(ask.menu) if action.get("card")]
        return cards[0] if cards else kinds.index("help")
    return 0


if __name__ == "__main__":
    run(choose)
