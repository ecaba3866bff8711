"""As the King, weigh what was said against all that can have been taken; as a subject, take what wins and have a story.

The King's part is a hidden Markov chain: its state is what is in the box, a step is what a seat takes, and what the
seat says is the observation. Both ends are known, for the King knows what he handed on and what came back. Forward and
backward along the chain give the chance of every role for every seat.

A subject takes more than half of the diamonds if nobody can have been richer before, for with the King in exile the
richest win; else a card; the last one nothing at all. Peasants tell the truth. Thieves, and Usurpers who would like to
be taken for Thieves, tell a Peasant's story that contradicts one neighbour only.
"""

from collections import Counter
from collections.abc import Iterator
from math import prod
from typing import Any
from zlib import crc32

from ftk_core.kit.bot import Ask, run

View = dict[str, Any]
Box = tuple[int, tuple[str, ...], bool]
"""Contents of the box: diamonds, cards, and whether it holds the fake."""
Take = tuple[int, str | None, bool]
"""Diamonds, card, and whether the fake is included."""
Step = tuple[Box, Take, Box, float]
"""Box before, take, box after, and a weight."""
INTERVIEW = ("received_diamonds", "passed_diamonds", "took", "received_cards")
WISHES = ("apprentice", "peasant", "guard", "usurper", "princess")
NOTHING: Take = (0, None, False)
HONEST, NAIVE = 0.6, 0.1
"""Probability of telling the truth with nothing to hide, and with something to hide."""
SLIP = 0.3
"""Probability that a sentence of a liar's story is true."""
DISMISSED = 0.1
"""Probability that the first player turns over a given kind of card."""
BEWARE = 0.3
"""Weight of the risk of crowning a Usurper against the chance of catching a Thief."""


def without(cards: tuple[str, ...], card: str | None) -> tuple[str, ...]:
    """Return the cards with one card less."""
    if card is None:
        return cards
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def after(box: Box, take: Take) -> Box:
    """Return the box after a take."""
    return box[0] - take[0], without(box[1], take[1]), box[2] and not take[2]


def role_of(take: Take) -> str:
    """Return the role that follows from a take."""
    return take[1] or ("thief" if take[0] else "urchin")


def takes(box: Box, *, last: bool) -> Iterator[tuple[Take, float]]:
    """Yield the possible takes with their prior probabilities: many seats take just over half."""
    diamonds, cards, fake = box
    for number in range(1, diamonds + 1):
        half = diamonds < 2 * number <= diamonds + 2
        yield (number, None, False), 0.7 / diamonds + 0.5 * half
    for card in dict.fromkeys(cards):
        yield (0, card, False), 1.0
    if fake:
        for number in range(diamonds + 1):
            yield (number, None, True), 0.5 / (diamonds + 1)
    if last or not (diamonds or cards or fake):
        yield NOTHING, 1.0


def holds(claim: View, came: Box, take: Take, went: Box) -> bool:
    """Return whether a claim is true of a seat with this take."""
    match claim["topic"]:
        case "received_diamonds":
            return bool(claim["number"] == came[0])
        case "passed_diamonds":
            return bool(claim["number"] == went[0])
        case "received_cards":
            return tuple(claim["cards"]) == came[1]
        case _:
            return (claim["number"], claim["role"], claim["fake"]) == take


class Inquiry:
    """Inference of the King."""

    def __init__(self, view: View) -> None:
        self.view, self.last = view, view["seats"] - 1
        hands = prod(number + 1 for number in Counter(view["cards"]).values())
        self.choices = {"received_diamonds": 14, "passed_diamonds": 14, "received_cards": hands, "took": 18}
        """By topic: number of possible claims."""
        self.told: dict[int, dict[str, View]] = {seat: {} for seat in range(view["seats"])}
        for said in view["said"]:
            if said["kind"] == "said" and said["claim"]["topic"] in self.choices:
                self.told[said["seat"]][said["claim"]["topic"]] = said["claim"]
        back = view["arrivals"][0]
        self.start: Box = (13 - view["hidden"], tuple(view["cards"]), view["fake"])
        self.end: Box = (back["diamonds"], tuple(back["cards"]), back["fake"])

    def likelihood(self, seat: int, came: Box, take: Take, went: Box) -> float:
        """Return the likelihood of a seat's claims given its take: the truth, a story, or random claims."""
        truth = anything = story = 1.0
        for topic, claim in self.told[seat].items():
            true, chance = holds(claim, came, take, went), 1 / self.choices[topic]
            truth *= true
            anything *= chance
            story *= SLIP if true else (1 - SLIP) * chance
        if role_of(take) in ("thief", "usurper"):
            return NAIVE * truth + 0.3 * anything + (0.7 - NAIVE) * story
        return HONEST * truth + (1 - HONEST) * anything

    def steps(self, seat: int, came: Box) -> Iterator[Step]:
        """Yield every possible step of a seat with the box that is consistent with what is known."""
        known = self.view["takes"][seat]
        if known is None and self.view["exiled"][seat]:
            yield came, NOTHING, came, 1.0  # it fumbled
            return
        begun = [(came, 1.0)]
        if seat == 1:
            begun += [((came[0], without(came[1], card), came[2]), DISMISSED) for card in dict.fromkeys(came[1])]
        for box, weight in begun:
            for take, likely in takes(box, last=seat == self.last):
                if known is not None and take != (known["diamonds"], known["card"], known["fake"]):
                    continue
                if take[2] or not self.view["fake_shown"][seat]:
                    went = after(box, take)
                    yield came, take, went, weight * likely * self.likelihood(seat, came, take, went)

    def roles(self) -> dict[int, Counter[str]]:
        """Return by subject the probability of each role; all 0 if nothing fits."""
        boxes, chain = Counter({self.start: 1.0}), list[list[Step]]()
        chances = [boxes]
        for seat in range(1, self.last + 1):
            steps = [step for box in boxes for step in self.steps(seat, box) if step[2][0] >= self.end[0]]
            boxes = scaled((went, chances[-1][came] * weight) for came, _, went, weight in steps)
            chain.append(steps)
            chances.append(boxes)
        ahead, found = Counter({self.end: 1.0}), dict[int, Counter[str]]()
        for seat in range(self.last, 0, -1):
            rows = [(came, take, weight * ahead[went]) for came, take, went, weight in chain[seat - 1] if went in ahead]
            found[seat] = scaled((role_of(take), chances[seat - 1][came] * weight) for came, take, weight in rows)
            ahead = scaled((came, weight) for came, _, weight in rows)
        return found


def scaled(weights: Any) -> Counter[Any]:
    """Sum weights by key and normalise their total to 1."""
    sums: Counter[Any] = Counter()
    for key, weight in weights:
        sums[key] += weight
    total = sums.total() or 1.0
    return Counter({key: weight / total for key, weight in sums.items()})


def reign(ask: Ask) -> int:
    """Ask everybody everything in turn, then accuse the most likely Thief."""
    for number, topic in enumerate(INTERVIEW):
        for seat in range(1, ask.view["seats"]):
            wanted = {"kind": "ask", "seat": seat, "topic": topic, "about": None}
            if ask.view["asked"][seat] == number and wanted in ask.menu:
                return ask.menu.index(wanted)
    roles = Inquiry(ask.view).roles()
    worth = {seat: found["thief"] - BEWARE * found["usurper"] for seat, found in roles.items()}
    accusations = [index for index, action in enumerate(ask.menu) if action["kind"] == "accuse"]
    return max(accusations, key=lambda index: worth[ask.menu[index]["seat"]])


def many(ask: Ask) -> int:
    """Return just over half of the diamonds in the box, 0 if another seat has or may have taken more."""
    seen: int = ask.view["arrivals"][ask.seat]["diamonds"]
    most = seen // 2 + 1
    return most if 13 - seen <= most <= seen else 0


def share(diamonds: int = 0, card: str | None = None) -> View:
    """Return the action of this take."""
    return {"kind": "help", "diamonds": diamonds, "card": card, "fake": False}


def help_oneself(ask: Ask) -> int:
    """Take what wins most: nothing as the last, when others are Thieves; most of the diamonds; a card."""
    stolen = 13 - ask.view["arrivals"][ask.seat]["diamonds"] > 3
    wishes = [share()] if stolen else []
    wishes += [share(many(ask))] if many(ask) else []
    wishes += [share(0, card) for card in WISHES] + [share(1)]
    return next((ask.menu.index(wish) for wish in wishes if wish in ask.menu), len(ask.menu) - 1)


def dismiss(ask: Ask) -> int:
    """Turn the Usurper over if this seat will steal: a wrongly accused Usurper would win instead."""
    wanted = {"kind": "dismiss", "card": "usurper"}
    return ask.menu.index(wanted) if many(ask) and wanted in ask.menu else 0


def testimony(ask: Ask) -> View:
    """Return this seat's claims about the box by topic: the truth, or a Peasant's story."""
    seen, take = ask.view["arrivals"][ask.seat], ask.view["takes"][ask.seat] or {"diamonds": 0, "card": None}
    came, went = seen["diamonds"], seen["diamonds"] - take["diamonds"]
    cards, left = list(seen["cards"]), list(without(tuple(seen["cards"]), take["card"]))
    truth = {"received_diamonds": came, "passed_diamonds": went, "received_cards": cards, "passed_cards": left}
    if not take["diamonds"] and take["card"] != "usurper":
        return {**truth, "took": (take["diamonds"], take["card"])}
    story = {**truth, "took": (0, "peasant")}
    after_me = crc32(f"{ask.hello['match']} {ask.seat}".encode()) % 2 and ask.seat < ask.view["seats"] - 1
    if ask.seat == 1 or after_me:  # claim that nothing was missing when the box left: the next seat must lie
        kept = list(without(tuple(cards), "peasant")) if "peasant" in cards else cards
        return {**story, "passed_diamonds": came, "passed_cards": kept}
    order = ask.view["cards"]  # claim that the box was empty on arrival: the previous seat must lie
    one_more = sorted([*left, "peasant"], key=order.index)
    known = one_more if one_more.count("peasant") <= order.count("peasant") else cards
    return {**story, "received_diamonds": went, "received_cards": known}


def answer(ask: Ask) -> int:
    """Answer consistently with the story; do not answer other questions."""
    topic, story = ask.view["answering"]["topic"], testimony(ask)
    for index, action in enumerate(ask.menu):
        if topic in story and "claim" in action and told(action["claim"]) == story[topic]:
            return index
    return 0


def told(claim: View) -> Any:
    """Return the value of a claim on its topic."""
    if claim["topic"] == "took":
        return (claim["number"], claim["role"]) if not claim["fake"] else None
    return claim["cards"] if claim["topic"].endswith("cards") else claim["number"]


def choose(ask: Ask) -> int:
    """Answer according to the kind of choice; as the King keep three diamonds, so that there is less to take."""
    parts = {"king": reign, "dismiss": dismiss, "help": help_oneself, "answer": answer}
    step = ask.view["step"]
    return parts[step](ask) if step in parts else 3 * (step == "hide")


if __name__ == "__main__":
    run(choose)
