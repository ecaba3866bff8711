"""Play like a greedy bot that forgot a case: now and then the program ends in the middle of a match."""

import json
from zlib import crc32

from ftk_core.kit.bot import Ask, run

RARELY = 150


def worth(card: str) -> int:
    """Return what a card is worth by itself: gold a little, a government card by its office's usual values."""
    kind, name, rest = card.split("-")
    if kind == "GOLD":
        return int(name)
    if kind == "KING":
        return 1
    if name in ("DIPLOMACY", "ENTERTAINMENT"):
        return 2 if rest <= "D" else 3 if rest <= "G" else 4
    return 1 if rest <= "G" else 2


def place(ask: Ask) -> int:
    """Keep what is good, give away what is poor."""
    value = worth(ask.view["drawn"])
    wanted = ("self", "favor", "middle") if value >= 3 else ("middle", "favor", "self")
    areas = [action["area"] for action in ask.menu]
    return next(areas.index(area) for area in wanted if area in areas)


def bid(ask: Ask) -> int:
    """Raise by one as long as the card is worth it and can be paid."""
    view = ask.view
    hand = view["hands"][ask.seat]
    lot, amount = view["lot"], view["bid"] + 1
    if lot.startswith("GOLD"):
        return 1 if amount <= min(len(hand), 1) else 0
    gold = sum(int(card.split("-")[1]) for card in hand if card.startswith("GOLD"))
    return 1 if amount <= min(gold, worth(lot)) else 0


def best(ask: Ask, field: str, sign: int) -> int:
    """Return the item whose card is worth most (sign 1) or least (sign -1)."""
    return max(range(len(ask.menu)), key=lambda index: (sign * worth(ask.menu[index][field]), -index))


def choose(ask: Ask) -> int:
    """Answer by what is asked."""
    if crc32(json.dumps(ask.view, sort_keys=True).encode()) % RARELY == 0:
        raise RuntimeError(f"question {ask.id}: this case was never thought of")
    step = ask.view["step"]
    if step == "place":
        return place(ask)
    if step == "choose":
        return best(ask, "card", 1)
    return bid(ask) if step == "bid" else 0


if __name__ == "__main__":
    run(choose)
