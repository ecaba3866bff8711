"""Greedy bot whose program now and then crashes in the middle of a match."""

import json
from zlib import crc32

from ftk_core.kit.bot import Ask, run

RARELY = 150


def worth(card: str) -> int:
    """Return the value printed on a card; 1 for a King card."""
    kind, name, suffix = card.split("-")
    if kind == "GOLD":
        return int(name)
    if kind == "KING":
        return 1
    if name in ("DIPLOMACY", "ENTERTAINMENT"):
        return 2 if suffix <= "D" else 3 if suffix <= "G" else 4
    return 1 if suffix <= "G" else 2


def place(ask: Ask) -> int:
    """Choose where to place the drawn card, and return the index of the menu item.

    The first choice for a card of value 3 or 4 is the own hand. For any other card it is the middle, where an opponent
    will take it. If the first choice is full, choose the Favor deck (the cards to be auctioned later). If the Favor
    deck is full as well, choose the place that is left.
    """
    value = worth(ask.view["drawn"])
    preferred_areas = ("self", "favor", "middle") if value >= 3 else ("middle", "favor", "self")
    areas = [action["area"] for action in ask.menu]
    return next(areas.index(area) for area in preferred_areas if area in areas)


def bid(ask: Ask) -> int:
    """Return 1 (raise the bid by one) or 0 (pass).

    Raise if the new bid is at most the auctioned card's value, and the gold in hand can pay it. A gold card is
    different: it is paid with one card of the hand for each 1 of the bid. The bot bids at most 1 for it.
    """
    view = ask.view
    hand = view["hands"][ask.seat]
    lot, amount = view["lot"], view["bid"] + 1
    if lot.startswith("GOLD"):
        return 1 if amount <= min(len(hand), 1) else 0
    gold = sum(int(card.split("-")[1]) for card in hand if card.startswith("GOLD"))
    return 1 if amount <= min(gold, worth(lot)) else 0


def best(ask: Ask, field: str, sign: int) -> int:
    """Return the index of the menu item with the most valuable card, or the least valuable if `sign` is -1."""
    return max(range(len(ask.menu)), key=lambda index: (sign * worth(ask.menu[index][field]), -index))


def choose(ask: Ask) -> int:
    """Return the menu index of the bot's answer to a question of the game server; sometimes crash on purpose."""
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
