"""Bot that acquires characters with extra dice first, then those that change dice, and collects one face."""

from typing import Any

from ftk_core.kit.bot import Ask, run

WANTED = (
    "KING", "GENERAL", "FARMER", "KNIGHT", "BISHOP", "PAWN_BROKER", "HUNTER", "GUARD", "LABORER", "MAGICIAN",
    "ASTRONOMER", "NOBLEMAN", "ALCHEMIST", "MERCHANT", "NOBLEWOMAN", "SERVING_MAID", "PHILOSOPHER", "CHARLATAN",
    "FOOL",
)  # fmt: skip
ADDING = ("LABORER", "GUARD", "HUNTER", "PAWN_BROKER", "KNIGHT", "BISHOP", "QUEEN")


def face_of(ask: Ask) -> int:
    """Return the face to collect in this turn: the most frequent face. Dice set aside count twice."""
    active, aside = ask.view["active"], ask.view["aside"]
    return max(range(1, 7), key=lambda face: (active.count(face) + 2 * aside.count(face), face))


def aim(ask: Ask, face: int) -> int:
    """Return the menu index of the effect that makes the most dice show `face`."""

    def gain(action: dict[str, Any]) -> tuple[int, int]:
        before, after = action["before"], action["after"]
        if not after:  # a re-roll: give up the unwanted dice
            return (-before.count(face), len(before))
        return (after.count(face) - before.count(face), sum(after))

    return max(range(len(ask.menu)), key=lambda index: gain(ask.menu[index]))


def useful(ask: Ask, face: int) -> list[int]:
    """Return the menu indices of the characters to use now: those that add dice, else those that change dice."""
    off = sum(die != face for die in ask.view["active"])
    cards = [(action["card"], index) for index, action in enumerate(ask.menu) if action["kind"] == "use"]
    early = [index for card, index in cards if card in ADDING]
    bending = ("MAGICIAN", "ASTRONOMER", "FOOL") if off else ()
    late = [index for card, index in cards if card in bending and not ask.view["used"].count(card)]
    return early or late


def choose(ask: Ask) -> int:
    """Return the menu index of the action that the bot chooses."""
    kinds = [action["kind"] for action in ask.menu]
    if "acquire" in kinds:
        offered: dict[Any, int] = {action.get("card"): index for index, action in enumerate(ask.menu)}
        return next(offered[card] for card in WANTED if card in offered)
    face = face_of(ask)
    if kinds[0] == "aim":
        return aim(ask, face)
    if "concede" in kinds:
        return 0
    use = useful(ask, face)
    if use:
        return use[0]
    if "roll" in kinds:
        return kinds.index("roll")
    if "set_aside" not in kinds:
        return 0
    dice_to_keep = [die for die in ask.view["active"] if die == face] or [max(ask.view["active"])]
    return next(i for i, action in enumerate(ask.menu) if action.get("faces") == dice_to_keep)


if __name__ == "__main__":
    run(choose)
