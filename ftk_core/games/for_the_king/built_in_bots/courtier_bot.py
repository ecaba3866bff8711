"""Bot that collects the cards of two offices only: those of which it holds the most cards.

An office is a group of cards that gives points to the two strongest hands at the end.
"""

from ftk_core.kit.bot import Ask, run


def office(card: str) -> str:
    """Return the office of a government card, or "" for other cards."""
    return card.split("-")[1].lower() if card.startswith("GOV") else ""


def favourites(ask: Ask) -> set[str]:
    """Return the two offices whose cards the bot collects."""
    hand = ask.view["hands"][ask.seat]
    duties = {duty["office"]: duty["primary"] for duty in ask.view["duties"]}
    cards_by_office = {name: sum(office(card) == name for card in hand) for name in duties}
    return set(sorted(duties, key=lambda name: (-cards_by_office[name], -duties[name], (len(name) + ask.seat) % 5))[:2])


def choose(ask: Ask) -> int:
    """Return the menu index of the action that collects cards of the two favourite offices."""
    courted, step = favourites(ask), ask.view["step"]
    if step == "place":
        card = ask.view["drawn"]
        area = "self" if office(card) in courted else "favor" if card.startswith("KING") else "middle"
        areas = [action["area"] for action in ask.menu]
        return areas.index(area) if area in areas else 0
    if step == "choose":
        return max(range(len(ask.menu)), key=lambda index: rank(ask.menu[index]["card"], courted))
    if step == "king":
        return max(range(len(ask.menu)), key=lambda index: favour(ask.menu[index], courted))
    if step == "bid":
        hand, lot = ask.view["hands"][ask.seat], ask.view["lot"]
        gold = sum(int(card.split("-")[1]) for card in hand if card.startswith("GOLD"))
        return 1 if office(lot) in courted and ask.view["bid"] + 1 <= min(gold, 5) else 0
    return 0


def rank(card: str, courted: set[str]) -> int:
    """Return a score of how much the bot wants a card."""
    if office(card) in courted:
        return 10
    return int(card.split("-")[1]) if card.startswith("GOLD") else 0


def favour(action: dict[str, list[str]], courted: set[str]) -> int:
    """Return a score for a King card's effect, which changes offices' points. Higher is better for the bot."""
    ups, downs = action["up"], action["down"]
    return sum(1 if name in courted else -1 for name in ups) - sum(1 if name in courted else -1 for name in downs)


if __name__ == "__main__":
    run(choose)
