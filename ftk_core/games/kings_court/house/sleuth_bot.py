"""As the King, cross-check what was received against what was passed on; as a subject, play one's role.

Peasants tell the truth, Thieves claim to be Peasants and stick to it, Usurpers admit to what they never took.
"""

from typing import Any
from zlib import crc32

from ftk_core.kit.bot import Ask, run

INTERVIEW = ("received_diamonds", "passed_diamonds", "took", "passed_cards")
View = dict[str, Any]


def help_oneself(ask: Ask) -> int:
    """Take a Peasant's card, a Usurper's, or a few diamonds: by a draw that follows from what is in the box."""
    seen = ask.view["arrivals"][ask.seat]
    draw = crc32(f"{ask.hello['match']} {ask.seat} {seen}".encode()) % 10
    few = min(seen["diamonds"], 2 + draw % 3)
    if draw < 4 and few:
        return next(i for i, action in enumerate(ask.menu) if action == dict(help_of(), diamonds=few))
    wished = ("usurper", "peasant", "apprentice") if draw == 9 else ("peasant", "apprentice", "usurper")
    for card in wished:
        if card in seen["cards"]:
            return next(i for i, action in enumerate(ask.menu) if action.get("card") == card)
    return len(ask.menu) - 1


def help_of() -> View:
    """Return the frame of the action."""
    return {"kind": "help", "diamonds": 0, "card": None, "fake": False}


def testimony(ask: Ask) -> View:
    """Return what this seat claims about the box: the truth, or a story that holds together."""
    seen, take = ask.view["arrivals"][ask.seat], ask.view["takes"][ask.seat] or {"diamonds": 0, "card": None}
    cards, role = list(seen["cards"]), take["card"]
    story = {"received_diamonds": seen["diamonds"], "received_cards": cards, "passed_diamonds": seen["diamonds"]}
    if take["diamonds"]:
        role = "peasant" if "peasant" in cards else None
    left = list(cards)
    if role in left:
        left.remove(role)
    taken = 0
    if role == "usurper":
        taken = min(2, seen["diamonds"])
        story["passed_diamonds"] -= taken
        left, role = cards, None
    return {**story, "passed_cards": left, "took": (taken, role)}


def answer(ask: Ask) -> int:
    """Answer with the story; say nothing to other questions."""
    told, asked = testimony(ask), ask.view["answering"]
    topic = asked["topic"]
    for index, action in enumerate(ask.menu):
        claim = action.get("claim")
        if claim is None:
            continue
        if topic.endswith("diamonds") and claim["number"] == told[topic]:
            return index
        if topic.endswith("cards") and claim["cards"] == told[topic]:
            return index
        if topic == "took" and (claim["number"], claim["role"]) == told["took"] and not claim["fake"]:
            return index
    return 0


def statements(view: View) -> dict[int, View]:
    """Return by subject what it has answered, by topic."""
    told: dict[int, View] = {}
    for said in view["said"]:
        if said["kind"] == "said" and said["seat"]:
            told.setdefault(said["seat"], {})[said["claim"]["topic"]] = said["claim"]
    return told


def suspicion(view: View) -> dict[int, float]:
    """Return by subject how many diamonds went missing beside it, if all the others tell the truth.

    Whoever stole says that they were still there when the box went on, or were not there when it came.
    """
    told, last = statements(view), view["seats"] - 1
    doubts = {}
    for seat in range(1, view["seats"]):
        before = 13 - view["hidden"] if seat == 1 else number(told, seat - 1, "passed_diamonds")
        after = view["arrivals"][0]["diamonds"] if seat == last else number(told, seat + 1, "received_diamonds")
        came, went = number(told, seat, "received_diamonds"), number(told, seat, "passed_diamonds")
        doubts[seat] = missing(went, after) + 0.4 * missing(before, came) + 0.05 * (came is None)
        took = told.get(seat, {}).get("took")
        if took and took["number"]:
            doubts[seat] -= 9  # whoever admits it wants to be accused
    return doubts


def number(told: dict[int, View], seat: int, topic: str) -> int | None:
    """Return the number of diamonds a subject spoke of, if it did."""
    claim = told.get(seat, {}).get(topic)
    return None if claim is None else claim["number"]


def missing(more: int | None, less: int | None) -> float:
    """Return how many diamonds are gone from one statement to the next."""
    return 0.1 if more is None or less is None else float(max(0, more - less))


def reign(ask: Ask) -> int:
    """Question everybody in turn, then accuse whoever is least believable."""
    asked = ask.view["asked"]
    for topic_number, topic in enumerate(INTERVIEW):
        for seat in range(1, ask.view["seats"]):
            wanted = {"kind": "ask", "seat": seat, "topic": topic, "about": None}
            if asked[seat] == topic_number and wanted in ask.menu:
                return ask.menu.index(wanted)
    doubts = suspicion(ask.view)
    accusations = [index for index, action in enumerate(ask.menu) if action["kind"] == "accuse"]
    return max(accusations, key=lambda index: doubts[ask.menu[index]["seat"]])


def choose(ask: Ask) -> int:
    """Answer by what is asked."""
    step = ask.view["step"]
    if step == "help":
        return help_oneself(ask)
    if step == "king":
        return reign(ask)
    if step == "answer":
        return answer(ask)
    return crc32(ask.hello["match"].encode()) % 4 if step == "hide" else 0


if __name__ == "__main__":
    run(choose)
