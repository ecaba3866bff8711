"""Take the card with the greatest face value, pay with what is worth least, bid a card's value."""

from ftk_core.kit.bot import Ask, run


def worth(card: str) -> int:
    """Return the value of a card by itself: low for gold, the usual value of the office for a government card."""
    kind, name, rest = card.split("-")
    if kind == "GOLD":
        return int(name)
    if kind == "KING":
        return 1
    if name in ("DIPLOMACY", "ENTERTAINMENT"):
        return 2 if rest <= "D" else 3 if rest <= "G" else 4
    return 1 if rest <= "G" else 2


def place(ask: Ask) -> int:
    """Keep good cards, give away poor ones."""
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
    """Return the item with the most valuable card (sign 1) or the least valuable (sign -1)."""
    return max(range(len(ask.menu)), key=lambda index: (sign * worth(ask.menu[index][field]), -index))


def choose(ask: Ask) -> int:
    """Answer according to the kind of choice."""
    step = ask.view["step"]
    if step == "place":
        return place(ask)
    if step == "choose":
        return best(ask, "card", 1)
    return bid(ask) if step == "bid" else 0


if __name__ == "__main__":
    run(choose)
