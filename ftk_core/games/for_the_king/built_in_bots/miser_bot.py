"""Bot that collects gold in the first phase, and buys the cards with high values in the second phase."""

from ftk_core.kit.bot import Ask, run


def value(card: str) -> int:
    """Return the number on a card; 0 for a King."""
    kind, name, suffix = card.split("-")
    if kind != "GOV":
        return int(name) if kind == "GOLD" else 0
    if name in ("DIPLOMACY", "ENTERTAINMENT"):
        return 2 if suffix <= "D" else 3 if suffix <= "G" else 4
    return 1 if suffix <= "G" else 2


def appeal(card: str) -> int:
    """Return the value of a card to this bot, which prefers gold to all other cards."""
    return 10 * value(card) if card.startswith("GOLD") else value(card)


def bid(ask: Ask) -> int:
    """Return 1 to raise the bid by one, or 0 to pass."""
    # The budget is the card's value and a share of the gold, about twice the gold divided by the auctions left.
    hand = ask.view["hands"][ask.seat]
    gold = sum(value(card) for card in hand if card.startswith("GOLD"))
    lot, amount = ask.view["lot"], ask.view["bid"] + 1
    if lot.startswith("GOLD"):
        return 0
    share = 2 * gold // (ask.view["favor"] + 2)
    return 1 if amount <= min(gold, share + value(lot)) else 0


def choose(ask: Ask) -> int:
    """Return the menu index of the action that the bot chooses."""
    step = ask.view["step"]
    if step == "place":
        area = "self" if appeal(ask.view["drawn"]) >= 20 else "middle" if value(ask.view["drawn"]) < 3 else "favor"
        areas = [action["area"] for action in ask.menu]
        return areas.index(area) if area in areas else 0
    if step == "choose":
        return max(range(len(ask.menu)), key=lambda index: appeal(ask.menu[index]["card"]))
    return bid(ask) if step == "bid" else 0


if __name__ == "__main__":
    run(choose)
