"""Bot that as the King computes the most likely Thief from all claims, and as a subject lies consistently.

As the King, the bot computes the probability of each role for each seat, by the forward-backward algorithm of a hidden
Markov model. The hidden state is the content of the box. In each step a seat takes something, and the King observes the
seat's claims. The first and the last state are known: the box that the King passed on, and the box that came back.

As a subject (another player), the bot steals just over half of the diamonds: the richest Thieves win if the King is
exiled. If an earlier seat may have stolen more, the bot takes a card. In the last seat, it takes nothing if it is sure
that others stole. A bot that is a Thief claims to be a Peasant, with a story that contradicts only one neighbour. A
Usurper does the same, because it wins if the King accuses it. In all other roles, the bot tells the truth.
"""

from collections import Counter
from collections.abc import Iterator
from math import prod
from typing import Any
from zlib import crc32

from ftk_core.kit.bot import Ask, run

View = dict[str, Any]
Box = tuple[int, tuple[str, ...], bool]
"""Contents of the box: number of diamonds, cards, and whether it holds the fake diamond."""
Take = tuple[int, str | None, bool]
"""Things that a seat takes: number of diamonds, card, and whether they include the fake diamond."""
Step = tuple[Box, Take, Box, float]
"""(box before a seat, things that the seat takes, box after the seat, weight of this possibility)."""
INTERVIEW = ("received_diamonds", "passed_diamonds", "took", "received_cards")
WISHES = ("apprentice", "peasant", "guard", "usurper", "princess")
NOTHING: Take = (0, None, False)
HONEST, NAIVE = 0.6, 0.1
"""Probability that a seat tells the truth if it has nothing to hide, and if it has something to hide."""
SLIP = 0.3
"""Probability that a sentence of a liar's story is true."""
DISMISSED = 0.1
"""Weight of each kind of card that the first player can turn over, relative to turning over none."""
BEWARE = 0.3
"""Weight of the risk of accusing a Usurper, who then wins, against the chance of catching a Thief."""


def without(cards: tuple[str, ...], card: str | None) -> tuple[str, ...]:
    """Return the cards without one copy of `card`; all cards if it is None."""
    if card is None:
        return cards
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def after(box: Box, take: Take) -> Box:
    """Return the contents of the box after a player took something."""
    return box[0] - take[0], without(box[1], take[1]), box[2] and not take[2]


def role_of(take: Take) -> str:
    """Return the role of a seat: the card that it took, else "thief" if it took diamonds, else "urchin"."""
    return take[1] or ("thief" if take[0] else "urchin")


def takes(box: Box, *, last: bool) -> Iterator[tuple[Take, float]]:
    """Yield every choice that a player has at the box, with its likelihood."""
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
    """Return True if a player's claim about the box is true."""
    # `came` is the box that came to the player, `take` what the player took, `went` the box passed on.
    match claim["topic"]:
        case "received_diamonds":
            return bool(claim["number"] == came[0])
        case "passed_diamonds":
            return bool(claim["number"] == went[0])
        case "received_cards":
            return tuple(claim["cards"]) == came[1]
        case _:
            return (claim["number"], claim["role"], claim["fake"]) == take


class RoleInference:
    """Inference of the other players' roles from their claims and from the King's knowledge."""

    def __init__(self, view: View) -> None:
        self.view, self.last = view, view["seats"] - 1
        hands = prod(number + 1 for number in Counter(view["cards"]).values())
        self.choices = {"received_diamonds": 14, "passed_diamonds": 14, "received_cards": hands, "took": 18}
        """Topic -> number of possible claims on it."""
        self.claims: dict[int, dict[str, View]] = {seat: {} for seat in range(view["seats"])}
        for utterance in view["said"]:
            if utterance["kind"] == "said" and utterance["claim"]["topic"] in self.choices:
                self.claims[utterance["seat"]][utterance["claim"]["topic"]] = utterance["claim"]
        back = view["arrivals"][0]
        self.start: Box = (13 - view["hidden"], tuple(view["cards"]), view["fake"])
        self.end: Box = (back["diamonds"], tuple(back["cards"]), back["fake"])

    def likelihood(self, seat: int, came: Box, take: Take, went: Box) -> float:
        """Return how likely a player's claims are, given what the player took."""
        # The player may tell the truth, lie or claim at random.
        truth = anything = story = 1.0
        for topic, claim in self.claims[seat].items():
            true, chance = holds(claim, came, take, went), 1 / self.choices[topic]
            truth *= true
            anything *= chance
            story *= SLIP if true else (1 - SLIP) * chance
        if role_of(take) in ("thief", "usurper"):
            return NAIVE * truth + 0.3 * anything + (0.7 - NAIVE) * story
        return HONEST * truth + (1 - HONEST) * anything

    def steps(self, seat: int, came: Box) -> Iterator[Step]:
        """Yield each possible turn of a player who received the box `came`, given the King's knowledge."""
        known = self.view["takes"][seat]
        if known is None and self.view["exiled"][seat]:
            yield came, NOTHING, came, 1.0  # the seat broke the rules of taking
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
        """Return a dict seat -> role -> probability. The inner dicts are empty if no thefts explain the final box."""
        boxes, chain = Counter({self.start: 1.0}), list[list[Step]]()
        chances = [boxes]
        for seat in range(1, self.last + 1):
            steps = [step for box in boxes for step in self.steps(seat, box) if step[2][0] >= self.end[0]]
            boxes = scaled((went, chances[-1][came] * weight) for came, _, went, weight in steps)
            chain.append(steps)
            chances.append(boxes)
        ahead, probabilities = Counter({self.end: 1.0}), dict[int, Counter[str]]()
        for seat in range(self.last, 0, -1):
            reachable_steps = [
                (came, take, weight * ahead[went]) for came, take, went, weight in chain[seat - 1] if went in ahead
            ]
            probabilities[seat] = scaled(
                (role_of(take), chances[seat - 1][came] * weight) for came, take, weight in reachable_steps
            )
            ahead = scaled((came, weight) for came, _, weight in reachable_steps)
        return probabilities


def scaled(weights: Any) -> Counter[Any]:
    """Add up the weights of each key, and scale the sums to a total of 1."""
    sums: Counter[Any] = Counter()
    for key, weight in weights:
        sums[key] += weight
    total = sums.total() or 1.0
    return Counter({key: weight / total for key, weight in sums.items()})


def choose_as_king(ask: Ask) -> int:
    """Question every player, then accuse a likely Thief. Return the menu index."""
    for number, topic in enumerate(INTERVIEW):
        for seat in range(1, ask.view["seats"]):
            question = {"kind": "ask", "seat": seat, "topic": topic, "about": None}
            if ask.view["asked"][seat] == number and question in ask.menu:
                return ask.menu.index(question)
    roles = RoleInference(ask.view).roles()
    worth = {seat: chances["thief"] - BEWARE * chances["usurper"] for seat, chances in roles.items()}
    accusations = [index for index, action in enumerate(ask.menu) if action["kind"] == "accuse"]
    return max(accusations, key=lambda index: worth[ask.menu[index]["seat"]])


def count_to_steal(ask: Ask) -> int:
    """Return how many diamonds the bot steals."""
    # It is just over half of the box, or 0 if an earlier player may have taken more.
    diamonds: int = ask.view["arrivals"][ask.seat]["diamonds"]
    majority = diamonds // 2 + 1
    return majority if 13 - diamonds <= majority <= diamonds else 0


def take_item(diamonds: int = 0, card: str | None = None) -> View:
    """Return the menu item that takes diamonds, a card or nothing."""
    return {"kind": "help", "diamonds": diamonds, "card": card, "fake": False}


def help_oneself(ask: Ask) -> int:
    """Choose the things to take from the box. Return the menu index."""
    stolen = 13 - ask.view["arrivals"][ask.seat]["diamonds"] > 3
    wishes = [take_item()] if stolen else []
    wishes += [take_item(count_to_steal(ask))] if count_to_steal(ask) else []
    wishes += [take_item(0, card) for card in WISHES] + [take_item(1)]
    return next((ask.menu.index(wish) for wish in wishes if wish in ask.menu), len(ask.menu) - 1)


def dismiss(ask: Ask) -> int:
    """Choose the card that the first player removes from the game; return its position in the menu."""
    dismissal = {"kind": "dismiss", "card": "usurper"}
    return ask.menu.index(dismissal) if count_to_steal(ask) and dismissal in ask.menu else 0


def testimony(ask: Ask) -> View:
    """Return all statements that the bot will make, by topic. As a Thief or Usurper it lies."""
    arrival, take = ask.view["arrivals"][ask.seat], ask.view["takes"][ask.seat] or {"diamonds": 0, "card": None}
    came, went = arrival["diamonds"], arrival["diamonds"] - take["diamonds"]
    cards, left = list(arrival["cards"]), list(without(tuple(arrival["cards"]), take["card"]))
    truth = {"received_diamonds": came, "passed_diamonds": went, "received_cards": cards, "passed_cards": left}
    if not take["diamonds"] and take["card"] != "usurper":
        return {**truth, "took": (take["diamonds"], take["card"])}
    story = {**truth, "took": (0, "peasant")}
    after_me = crc32(f"{ask.hello['match']} {ask.seat}".encode()) % 2 and ask.seat < ask.view["seats"] - 1
    if ask.seat == 1 or after_me:  # claim to have taken no diamonds: the next seat seems to lie
        claimed_cards = list(without(tuple(cards), "peasant")) if "peasant" in cards else cards
        return {**story, "passed_diamonds": came, "passed_cards": claimed_cards}
    order = ask.view["cards"]  # claim that the diamonds were missing: the previous seat seems to lie
    one_more = sorted([*left, "peasant"], key=order.index)
    known = one_more if one_more.count("peasant") <= order.count("peasant") else cards
    return {**story, "received_diamonds": went, "received_cards": known}


def answer(ask: Ask) -> int:
    """Answer as `testimony` states, or stay silent if it states nothing on the topic. Return the menu index."""
    topic, story = ask.view["answering"]["topic"], testimony(ask)
    for index, action in enumerate(ask.menu):
        if topic in story and "claim" in action and value_of_claim(action["claim"]) == story[topic]:
            return index
    return 0


def value_of_claim(claim: View) -> Any:
    """Return the number, cards or theft that a claim states."""
    if claim["topic"] == "took":
        return (claim["number"], claim["role"]) if not claim["fake"] else None
    return claim["cards"] if claim["topic"].endswith("cards") else claim["number"]


def choose(ask: Ask) -> int:
    """Return the menu index of the action that the bot chooses."""
    # The menu items of step "hide" are numbers of diamonds that the King keeps: three.
    parts = {"king": choose_as_king, "dismiss": dismiss, "help": help_oneself, "answer": answer}
    step = ask.view["step"]
    return parts[step](ask) if step in parts else 3 * (step == "hide")


if __name__ == "__main__":
    run(choose)
