"""Bot that bids without looking at its gold, which drives prices up, and sometimes cannot pay."""

import json
from random import Random

from ftk_core.kit.bot import Ask, run


def choose(ask: Ask) -> int:
    """Return the menu index of the action that the bot chooses."""
    # Bids even without the gold to pay.
    luck = Random(json.dumps([ask.seat, ask.id, ask.view], sort_keys=True))
    step = ask.view["step"]
    if step == "bid":
        return 1 if ask.view["bid"] < 4 and luck.random() < 0.7 else 0
    if step == "place":
        areas = [action["area"] for action in ask.menu]
        high = ask.view["drawn"].startswith(("GOV-DIPLOMACY", "GOV-ENTERTAINMENT"))
        return areas.index("self") if high and "self" in areas else luck.randrange(len(areas))
    if step == "choose":
        government_items = [index for index, action in enumerate(ask.menu) if action["card"].startswith("GOV")]
        return luck.choice(government_items) if government_items else 0
    return 0


if __name__ == "__main__":
    run(choose)
