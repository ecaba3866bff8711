"""Greedy bot that sleeps through some questions, so that the referee plays the first menu item for it.

It sleeps past the time limit on purpose.
"""

import json
import time
from zlib import crc32

from ftk_core.kit.bot import Ask, run

RARELY = 100
DOZE_SECONDS = 3


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
    """Choose where to put the drawn card, and return the menu index."""
    # A card in the middle goes to an opponent. Cards of the Favor deck are auctioned later.
    value = worth(ask.view["drawn"])
    preferred_areas = ("self", "favor", "middle") if value >= 3 else ("middle", "favor", "self")
    areas = [action["area"] for action in ask.menu]
    return next(areas.index(area) for area in preferred_areas if area in areas)


def bid(ask: Ask) -> int:
    """Return 1 to raise the bid by one, or 0 to pass."""
    # A gold card is paid with one card of the hand for each 1 of the bid.
    view = ask.view
    hand = view["hands"][ask.seat]
    lot, amount = view["lot"], view["bid"] + 1
    if lot.startswith("GOLD"):
        return 1 if amount <= min(len(hand), 1) else 0
    gold = sum(int(card.split("-")[1]) for card in hand if card.startswith("GOLD"))
    return 1 if amount <= min(gold, worth(lot)) else 0


def best(ask: Ask, field: str, sign: int) -> int:
    """Return the menu index of the most valuable card (least valuable if `sign` is -1)."""
    return max(range(len(ask.menu)), key=lambda index: (sign * worth(ask.menu[index][field]), -index))


def dozes(ask: Ask) -> bool:
    """Return True if the bot should sleep past the time limit now."""
    # A checksum of the view decides, so a repeated match has the same sleeps.
    return ask.view["step"] == "place" and crc32(json.dumps(ask.view, sort_keys=True).encode()) % RARELY == 0


def choose(ask: Ask) -> int:
    """Return the menu index of the chosen action. Sometimes answer too late on purpose."""
    if dozes(ask):
        time.sleep(DOZE_SECONDS)
    step = ask.view["step"]
    if step == "place":
        return place(ask)
    if step == "choose":
        return best(ask, "card", 1)
    return bid(ask) if step == "bid" else 0


if __name__ == "__main__":
    run(choose)
